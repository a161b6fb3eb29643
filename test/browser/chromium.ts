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

/** The browser that this machine has, if any: nothing is downloaded for the tests. */
export const executablePath = candidates.find((path) => path !== undefined && isExecutable(path));

if (executablePath === undefined) {
  console.warn(
    'SKIPPED: the docs page and the pipeline page are not tried in a browser, because this machine has none at\n' +
      `${candidates.slice(1).join('\n')}\nInstall Chromium, or set CHROME_PATH to the executable of a browser like it.`,
  );
}

/** Headless, with an empty profile, and quiet: it speaks to nobody but the page's own server. */
export function launchChromium(): Promise<Browser> {
  return chromium.launch({
    executablePath,
    args: [
      '--no-sandbox', // Chromium's own sandbox does not work for root, as whom containers run.
      '--disable-gpu',
      '--in-process-gpu', // A process less to start: what draws is software anyway.
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--js-flags=--no-turbofan', // A tenth less CPU: no page lives long enough for its best code to pay.
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
