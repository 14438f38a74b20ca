import { defineConfig } from "vitest/config";
import { help } from "./help.mjs";

export default defineConfig({
  base: "./",
  plugins: [help()],
  build: {
    outDir: "../src/microsafe/app/static",
    emptyOutDir: true,
    // The server's policy forbids inline scripts and data: addresses.
    assetsInlineLimit: 0,
    modulePreload: false,
    target: "es2022",
    cssTarget: ["chrome111", "firefox115", "safari16.4"],
    reportCompressedSize: false,
    chunkSizeWarningLimit: 1000, // the pages of the drawer, which come when they are asked for
  },
  test: {
    include: ["test/**/*.test.ts"],
  },
});
