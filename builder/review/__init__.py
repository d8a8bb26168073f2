"""People decide what is golden: pure core and view, thin terminal."""
