import { Problem } from '../../problem.ts';
import { createMany } from '../../resource/many.ts';
import type { Writer } from '../../resource/rules.ts';
import { readEmails, toAsciiEmail } from '../../spellings/email.ts';
import { collapseSpaces } from '../../spellings/text.ts';
import { lockOwners, type Owner } from '../../users/owner-queries.ts';
import { type UserTypes, userRules } from '../../users/user-rules.ts';
import { toId } from '../../values/id.ts';
import { firstCharacters } from '../../values/text.ts';
import type { ImportRow } from '../tables.ts';
import type { Checks } from './check-bodies.ts';

type Body = Record<string, unknown>;

/** The user of a body, as a client would send it. */
const ownerFields = {
  assigned_user_id: { email: 'assigned_user_email', name: 'assigned_user_name' },
  author_user_id: { email: 'author_user_email', name: 'author_user_name' },
} as const;

const namesOfUsers = Object.values(ownerFields).flatMap(({ email, name }) => [email, name]);

type OwnerField = keyof typeof ownerFields;

/** A user as the other system names them. */
interface Named {
  field: OwnerField;
  email?: string;
  name?: string;
}

interface OwnedBodies {
  /** With the user's id instead of email and name. */
  bodies: Body[];
  /** Why a body has no user, by its index. */
  warnings: Map<number, { field: string; message: string }>;
  /** UUIDs of users that may be assigned although they are inactive. */
  assignable: Set<string>;
}

type Run = Pick<ImportRow, 'options' | 'dry_run'>;

/**
 * Finds the users that bodies name by email or name. With `create_users`, history keeps its names: users who left the company
 * are found, too, and unknown ones are created as inactive users, unless it is a dry run.
 */
export async function assignOwners(
  given: readonly Body[],
  { options: { create_users }, dry_run }: Run,
  context: Writer & Checks,
): Promise<OwnedBodies> {
  const named = given.map(ownerIn);
  const all = named.flatMap((each) => each ?? []);
  const isAllowed = ({ active }: Owner) => active || create_users;
  let users = (await find(all, context)).filter(isAllowed);
  if (create_users && !dry_run && (await createMissing(all, users, context))) {
    users = (await find(all, context)).filter(isAllowed);
  }
  const choose = chooser(users);
  const warnings: OwnedBodies['warnings'] = new Map();
  const bodies = given.map((body, index) => {
    const owner = named[index];
    const others = withoutOwner(body);
    if (owner === undefined) return others;
    const found = choose(owner);
    if (typeof found !== 'string') return { ...others, [owner.field]: toId('user', found.id) };
    const isComing = create_users && dry_run && owner.email !== undefined;
    const { email, name } = ownerFields[owner.field];
    const field = body[email] === undefined ? name : email;
    if (!isComing) warnings.set(index, { field, message: found });
    return others;
  });
  return { bodies, warnings, assignable: new Set(users.map(({ id }) => id)) };
}

/** The user whom a body names. An id of this service wins. */
function ownerIn(body: Body): Named | undefined {
  for (const [field, { email: emailField, name: nameField }] of Object.entries(ownerFields)) {
    if (body[emailField] === undefined && body[nameField] === undefined) continue;
    const texts = [body[emailField], body[nameField]].map((text) => collapseSpaces(String(text ?? '')));
    const [address = '', text = ''] = texts;
    if (body[field] !== undefined || (address === '' && text === '')) continue;
    const { value: email, name: shown } = readEmails(addressIn(address));
    const name = text || shown || (email === undefined ? address : '');
    return {
      field: field as OwnerField,
      ...(email !== undefined && { email }),
      ...(name !== '' && { name }),
    };
  }
  return undefined;
}

/** HubSpot writes `Ada Example (ada@example.com)`. */
function addressIn(text: string): string {
  const [, name = '', address] = /^([^()]{0,200})\(([^()\s]{3,254})\)$/.exec(text) ?? [];
  return address === undefined ? text : `${name}<${address}>`;
}

/** Without the names of users, which a request has no fields for. */
export function withoutOwner(body: Body): Body {
  if (!namesOfUsers.some((field) => body[field] !== undefined)) return body;
  const others = { ...body };
  for (const { email, name } of Object.values(ownerFields)) {
    delete others[email];
    delete others[name];
  }
  return others;
}

function find(named: readonly Named[], { db }: Writer): Promise<Owner[]> {
  const emails = named.flatMap(({ email }) => email ?? []);
  const names = named.flatMap(({ email, name }) => (email === undefined && name !== undefined ? [name] : []));
  return lockOwners(db, [...new Set(emails)], [...new Set(names)]);
}

/** Returns a function that finds a user, or says why there is none. */
function chooser(users: readonly Owner[]): (named: Named) => Owner | string {
  const byEmail = new Map(users.map((user) => [keyOf(user.email), user]));
  const byName = Map.groupBy(users, ({ name }) => name);
  return ({ email, name = '' }) => {
    if (email !== undefined) {
      return (
        byEmail.get(keyOf(email)) ??
        'There is no active user with this email address, so the row has no owner.'
      );
    }
    const [found, ...others] = byName.get(name) ?? [];
    if (found === undefined) return NO_USER_OF_NAME;
    return others.length === 0 ? found : 'Several users have this name, so the row has no owner.';
  };
}

const NO_USER_OF_NAME =
  'There is no active user with this name, so the row has no owner. Create the user first: a name is not enough for that.';

function keyOf(email: string): string {
  return (toAsciiEmail(email) ?? email).toLowerCase();
}

/** Creates users for unknown email addresses. Returns whether there were any. */
async function createMissing(
  named: readonly Named[],
  users: readonly Owner[],
  context: Writer & Checks,
): Promise<boolean> {
  const known = new Set(users.map(({ email }) => keyOf(email)));
  const missing = new Map<string, object>();
  for (const { email, name } of named) {
    if (email === undefined || known.has(keyOf(email))) continue;
    const shown = firstCharacters(name ?? nameOf(email), MAX_NAME);
    if (!missing.has(keyOf(email)) || name !== undefined)
      missing.set(keyOf(email), { email, name: shown, active: false });
  }
  const wanted = [...missing.values()].map((fields) => {
    try {
      return context.checkBody('createUser', fields);
    } catch (error) {
      if (error instanceof Problem) return error;
      throw error;
    }
  });
  if (wanted.length > 0) await createMany<UserTypes>(userRules, wanted, context);
  return wanted.length > 0;
}

const MAX_NAME = 200;

/** `Ada Example` for `ada.example@example.com`. */
function nameOf(email: string): string {
  const words = email.slice(0, email.lastIndexOf('@')).split(/[._+-]+/);
  return words
    .filter((word) => word !== '')
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join(' ');
}
