import { open } from 'node:fs/promises';
import { Readable } from 'node:stream';

/** The file as the body of a request, of any size. `-` is standard input. */
export async function fileBody(file: string, type: string): Promise<RequestInit> {
  const init = { duplex: 'half', headers: { 'Content-Type': type } };
  return { ...init, body: Readable.toWeb(await openFile(file)) as never } as RequestInit;
}

async function openFile(file: string): Promise<Readable> {
  if (file === '-') return process.stdin;
  // Opened first: a stream would report a missing file too late.
  const opened = await open(file);
  if (!(await opened.stat()).isDirectory()) return opened.createReadStream();
  await opened.close();
  throw new Error(`${file} is a folder. Name a file.`);
}
