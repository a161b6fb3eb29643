/** Something took longer than it may. `code` is that of a network which gives no answer. */
export class Overdue extends Error {
  override name = 'Overdue';
  readonly code = 'ETIMEDOUT';
}

/** Rejects when the work takes longer; whoever does the work has to end it. */
export async function within<T>(milliseconds: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Overdue(`No answer within ${milliseconds} ms.`)), milliseconds);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
