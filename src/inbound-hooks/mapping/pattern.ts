import { RE2JS, RE2JSException } from 're2js';
import type { Effort } from './effort.ts';

export type Pattern = RE2JS;

const MAX_LENGTH = 200;
/** Instructions of a compiled pattern. A counted repetition such as `.{1000}` has a thousand. */
const MAX_SIZE = 2_000;
/** Steps per instruction to compile it. */
const STEPS_TO_COMPILE = 5;
/** Instructions times characters that are matched in a step. The worst pattern takes 0.4 µs for each, most a nanosecond. */
const MATCHED_PER_STEP = 10;

/** The regular expression (RFC 9485). Undefined if it is wrong or too large. */
export function compilePattern(source: string, effort: Effort): Pattern | undefined {
  if (source.length > MAX_LENGTH) return undefined;
  effort.spend(source.length);
  try {
    const pattern = RE2JS.compile(withDots(source));
    effort.spend(pattern.programSize() * STEPS_TO_COMPILE);
    return pattern.programSize() <= MAX_SIZE ? pattern : undefined;
  } catch (error) {
    if (error instanceof RE2JSException) return undefined;
    throw error;
  }
}

/** A dot outside of a class stands for any character but a line break, which RE2 takes for \n alone. */
function withDots(source: string): string {
  return source.replace(/\\.|\[(?:\\.|[^\]\\])*\]?|\./gsu, (part) => (part === '.' ? '[^\\n\\r]' : part));
}

/** Whether the pattern matches the whole text or a part of it. Takes linear time. */
export function testPattern(pattern: Pattern, text: string, isWhole: boolean, effort: Effort): boolean {
  effort.spend(Math.ceil((text.length * pattern.programSize()) / MATCHED_PER_STEP));
  return isWhole ? pattern.testExact(text) : pattern.test(text);
}
