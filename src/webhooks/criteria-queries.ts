import { type Db, one } from '../db/db.ts';
import { prepare, sql } from '../db/query.ts';

const lowerCase = prepare<{ texts: string[] }, { texts: string[] }>(
  'in_lower_case',
  ($) =>
    sql`select array(
      select lower(text) from unnest(${$('texts')}::text[]) with ordinality as given(text, n) order by n
    ) as texts`,
);

/** The texts in lower case, as PostgreSQL compares them. */
export async function inLowerCase(db: Db, texts: string[]): Promise<string[]> {
  return (await one(db, lowerCase({ texts }))).texts;
}

interface Check {
  webhookId: string;
  eventId: string;
  paths: string[];
}

interface Checked {
  unmet: string | null;
  /** For each path, whether the lead of the event matches it. */
  matches: boolean[];
}

const check = prepare<Check, Checked>(
  'check_criteria',
  ($) =>
    sql`select unmet_criterion(webhooks, type, resource_id, actor_type, actor_id, changed_fields(changes), states) as unmet,
      array(
        select coalesce(jsonb_path_exists(states, path::jsonpath), true)
        from unnest(${$('paths')}::text[]) with ordinality as given(path, n) order by n
      ) as matches
    from webhooks, events, lead_states(object, changes) as states
    where webhooks.id = ${$('webhookId')} and events.id = ${$('eventId')}`,
);

/** Why the webhook doesn't want the event, and which paths match its lead. Undefined if the event is not in the log. */
export async function checkCriteria(db: Db, values: Check): Promise<Checked | undefined> {
  const [checked] = await db.run(check(values));
  return checked;
}
