/** The browser of all tests, pictures and measurements: Debian's Chromium, drawing with the processor alone. */
export const CHROMIUM = {
  executablePath: process.env["PENSTOCK_CHROMIUM"] ?? "/usr/bin/chromium",
  args: [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
  ],
};
