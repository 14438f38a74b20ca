import { defineConfig } from "vitest/config";

export default defineConfig({
  base: "./",
  build: {
    outDir: "../src/microsafe/app/static",
    emptyOutDir: true,
    // The server's policy forbids inline scripts and data: addresses.
    assetsInlineLimit: 0,
    modulePreload: false,
    target: "es2022",
    cssTarget: ["chrome111", "firefox115", "safari16.4"],
    reportCompressedSize: false,
  },
  test: {
    include: ["test/**/*.test.ts"],
  },
});
