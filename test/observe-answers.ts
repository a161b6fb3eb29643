import { observeAnswers } from './support/coverage.ts';

// Only once per worker, whose test files share modules.
const key = Symbol.for('observeAnswers');
const worker = globalThis as { [key]?: boolean };
if (!worker[key]) observeAnswers();
worker[key] = true;
