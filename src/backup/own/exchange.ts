import { type OpenSession, withSession } from '../../db/session.ts';
import { renameBoth } from './queries.ts';
import { refuseIfUsed, type Target } from './target.ts';

/** Somebody is connected to the database. */
const IN_USE = '55006';

interface Names {
  fresh: string;
  old: string;
}

/**
 * Gives the new databases the names of the old ones: all of them, or none. Nobody can connect to an old one any more, so that no
 * forgotten process writes there while the others use the new one. Returns the names of the old ones.
 */
export async function exchange(
  targets: readonly Target[],
  namesOf: (target: Target) => Names,
  begun: readonly OpenSession[] = [],
): Promise<string[]> {
  const [target, ...others] = targets;
  if (target === undefined) {
    for (const session of begun) await session.query('commit');
    return [];
  }
  const { name, current } = target;
  const { fresh, old } = namesOf(target);
  return withSession(target.adminUrl, async (session) => {
    await session.query('begin');
    try {
      await renameBoth(session, { name, fresh, old: current && old });
    } catch (error) {
      await session.query('rollback');
      if ((error as { code?: string }).code === IN_USE) await refuseIfUsed(session, name);
      throw error;
    }
    const kept = current === undefined ? [] : [old];
    return [...kept, ...(await exchange(others, namesOf, [...begun, session]))];
  });
}
