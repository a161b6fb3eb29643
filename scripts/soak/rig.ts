import type { Network } from '../../test/support/network.ts';
import type { Access, Client } from './client.ts';
import type { Receiver } from './receiver.ts';
import type { Redis } from './redis.ts';
import type { Service } from './service.ts';

export interface Rig {
  service: Service;
  access: Access;
  client: Client;
  receiver: Receiver;
  /** Between the service and its database. */
  network?: Network;
  /** Undefined where it is not installed. */
  redis?: Redis | undefined;
  /** The environment variables of the service. */
  env: NodeJS.ProcessEnv & { DATA_DIR: string };
}

export interface Fault {
  name: string;
  /** Whether requests may fail during the fault. */
  disruptive: boolean;
  /** Whether the process of the service ends: what it kept in memory can't be compared any more. */
  restarts?: boolean;
  /** Throws when the service breaks a guarantee. */
  inject(rig: Rig): Promise<void>;
}

/** Throws unless /readyz answers 503 within 2.5 seconds. */
export async function expectUnready({ url }: Service): Promise<void> {
  const startedAt = performance.now();
  const { status } = await fetch(`${url}/readyz`);
  const duration = Math.round(performance.now() - startedAt);
  if (status !== 503 || duration > 2_500) throw new Error(`/readyz answered ${status} after ${duration} ms.`);
}

export function checkStop(milliseconds: number): void {
  if (milliseconds > 12_500) throw new Error(`Stopping took ${(milliseconds / 1000).toFixed(1)} s.`);
}
