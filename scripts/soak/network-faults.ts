import { setTimeout as sleep } from 'node:timers/promises';
import { checkStop, expectUnready, type Fault } from './rig.ts';

/** For a service that reaches its database through a simulated network. */
export const networkFaults: readonly Fault[] = [
  {
    name: 'established connections drop all packets',
    disruptive: true,
    async inject({ network }) {
      network?.freeze();
    },
  },
  {
    name: 'the whole network drops all packets for 30 s',
    disruptive: true,
    async inject({ service, network }) {
      network?.freeze();
      network?.freezeNew(true);
      await sleep(5_000);
      await expectUnready(service);
      await sleep(25_000);
      network?.freezeNew(false);
    },
  },
  {
    name: 'SIGTERM while the network drops all packets',
    disruptive: true,
    restarts: true,
    async inject({ service, network }) {
      network?.freeze();
      network?.freezeNew(true);
      await sleep(2_000);
      checkStop(await service.stop('SIGTERM'));
      network?.freezeNew(false);
      await service.start();
    },
  },
];
