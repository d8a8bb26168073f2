"""The sample documents: their texts (texts/), and how a text becomes a PDF, a sidecar and a scan."""
