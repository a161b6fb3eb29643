import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import type { Context } from '../context.ts';
import { createSender, type Sender } from '../deliveries/send.ts';
import { startWorker, type WorkerOptions } from '../deliveries/worker.ts';
import { jobTask } from '../jobs/job-task.ts';
import { runInBackground } from './background.ts';
import { type ObserveDeletion, startHousekeeping } from './housekeeping.ts';
import { jobKinds } from './job-kinds.ts';

interface WorkOptions extends Pick<WorkerOptions, 'observe' | 'traceAttempt'> {
  config: Pick<Config, 'role'>;
  logger: Logger;
  observeDeletion?: ObserveDeletion | undefined;
  /** Compiles the contract, which validates the rows of imports. */
  contract: Parameters<typeof jobKinds>[0];
}

/** Creates the background work of a process, according to its role. */
export function createWork({ config, logger, contract, observeDeletion, ...observers }: WorkOptions) {
  const senders: Sender[] = [];
  const stops: ((timeout: number) => unknown)[] = [];

  return {
    /** Starts the work of an environment. */
    start(context: Context): void {
      stops.push(startHousekeeping(context, logger, observeDeletion));
      if (config.role === 'api') return;
      const sender = createSender(context.targetRules);
      senders.push(sender);
      const worker = startWorker({ ...context, sender, random: Math.random, logger, ...observers });
      stops.push(worker.stop, runInBackground([jobTask(jobKinds(contract))], context, logger));
    },
    /** Waits at most `timeout` milliseconds for running deliveries. */
    async stop(timeout: number): Promise<void> {
      await Promise.all(stops.map((stop) => stop(timeout)));
      for (const sender of senders) sender.close();
    },
  };
}
