/** The programs of examples/typescript. */
import { describe } from 'vitest';
import { start } from '../support/example.ts';
import { testFollower } from './follower.ts';
import { testReceiver } from './receiver.ts';

describe('The follower', () => testFollower((env) => start('follow.ts', env)));

describe('The receiver', () => testReceiver((env) => start('receive.ts', env)));
