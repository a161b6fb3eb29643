import { escapeHtml } from '../values/escape-html.ts';

/** A plain page for a person whose browser has sent a form. */
function page(title: string, text: string): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
<h1>${escapeHtml(title)}</h1>
<p>${escapeHtml(text)}</p>
`;
}

export const thanksPage = page('Thank you', 'Your message has arrived.');

export function errorPage(message: string): string {
  return page('Your message was not sent', message);
}
