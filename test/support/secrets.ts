/** Looks for secrets in texts, in every encoding in which they could appear. */

/** Secrets and personal data, by their names. */
export type Secrets = Map<string, string>;

/** The secret as it is, encoded, and half of it. */
function spellings(secret: string): string[] {
  const bytes = Buffer.from(secret);
  // In Base64, preceding bytes shift the boundaries. Each of the three forms omits the characters that neighbours affect.
  const inBase64 = [0, 1, 2].map((before) =>
    Buffer.concat([Buffer.alloc(before), bytes])
      .toString('base64')
      .slice(4, -4)
      .replace(/=+$/, ''),
  );
  const half = secret.slice(secret.length / 2);
  return [
    secret,
    ...(half.length >= 12 ? [half] : []),
    encodeURIComponent(secret),
    JSON.stringify(secret).slice(1, -1),
    bytes.toString('hex'),
    ...inBase64.filter((text) => text.length >= 12),
  ];
}

/** The secrets that the texts contain. Must be empty. */
export function leaks(secrets: Secrets, texts: Record<string, string>): string[] {
  return Object.entries(texts).flatMap(([where, text]) => {
    const lower = text.toLowerCase();
    return [...secrets].flatMap(([what, secret]) =>
      spellings(secret).some((spelling) => lower.includes(spelling.toLowerCase()))
        ? [`${what} in ${where}`]
        : [],
    );
  });
}
