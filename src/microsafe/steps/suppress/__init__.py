"""Local suppression: blanking as few keys as possible so that every record is safe."""
