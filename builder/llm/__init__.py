"""Model calls: one client, its failures and retries, the journal, how replies are read. Only here is openai used."""
