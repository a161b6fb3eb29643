/** An Idempotency-Key. `crypto.randomUUID` needs HTTPS, which a service in the own network may lack. */
export function createKey() {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
}
