import { accessSync, constants } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const candidates = [
  process.env.CHROME_PATH,
  '/usr/bin/chromium-headless-shell', // Takes a fifth less CPU than Chromium, as it has no windows.
  '/usr/bin/chromium',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

/** This machine's browser, if it has one. The tests download none. */
export const executablePath = candidates.find((path) => path !== undefined && isExecutable(path));

if (executablePath === undefined) {
  console.warn(
    'SKIPPED: the docs page and the pipeline page are not tried in a browser, because this machine has none at\n' +
      `${candidates.slice(1).join('\n')}\nInstall Chromium, or set CHROME_PATH to the executable of a browser like it.`,
  );
}

/** Headless, with an empty profile, and without requests to anyone but the page's own server. */
export function launchChromium(): Promise<Browser> {
  return chromium.launch({
    executablePath,
    args: [
      '--no-sandbox', // Chromium's own sandbox does not work for root, and containers run as root.
      '--disable-gpu',
      '--in-process-gpu', // One process less to start, because rendering uses software anyway.
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--js-flags=--no-turbofan', // A tenth less CPU: no page lives long enough for optimized code to pay off.
    ],
  });
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
