"""The verbs of a study that measure: they ask the engine for cells and leave the rest to `risk`."""
