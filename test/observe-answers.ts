import { observeAnswers } from './support/coverage.ts';

// Once in each worker, whose test files share their modules.
const key = Symbol.for('observeAnswers');
const worker = globalThis as { [key]?: boolean };
if (!worker[key]) observeAnswers();
worker[key] = true;
