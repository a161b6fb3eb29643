import { promisify } from 'node:util';
import { type BrotliOptions, brotliCompress, constants, gzip } from 'node:zlib';
import type { Request, Response } from 'express';

const compressBrotli = promisify<Buffer, BrotliOptions, Buffer>(brotliCompress);
const compressors = {
  // 11, the default, takes over ten times as long to save another 10 %.
  br: (body: Buffer) => compressBrotli(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }),
  gzip: promisify<Buffer, Buffer>(gzip),
};

type Encoding = keyof typeof compressors;

/** The encoding to respond with: Brotli, gzip, or undefined for the body as it is. */
export function chooseEncoding(req: Request, res: Response): Encoding | undefined {
  res.vary('Accept-Encoding');
  return (['br', 'gzip'] as const).find((encoding) => req.acceptsEncodings(encoding));
}

/** Compresses the body once for each encoding, when a client first requests it, so that it does not delay the start. */
export function compressOnce(body: Buffer): (encoding: Encoding) => Promise<Buffer> {
  const copies = new Map<Encoding, Promise<Buffer>>();
  return (encoding) => {
    const known = copies.get(encoding);
    if (known !== undefined) return known;
    // A failure isn't kept: the next request tries again.
    const copy = compressors[encoding](body).catch((error: unknown) => {
      copies.delete(encoding);
      throw error;
    });
    copies.set(encoding, copy);
    return copy;
  };
}
