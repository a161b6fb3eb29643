import { prepareInsertMany, prepareMatching, prepareUpdateMany, runAll } from '../db/many-rows.ts';
import type { RowValues } from '../db/row-statements.ts';
import { createdEvent, updatedEvents } from '../events/record-change.ts';
import type { Schema } from '../operation.ts';
import { distinct, fillMissing, patchMetadata, patchTags } from '../resource/fields.ts';
import { insertOrThrow, updateOrThrow } from '../resource/rows.ts';
import type { Rules, SingleRules } from '../resource/rules.ts';
import { type ActiveUsers, activeUser, lockActiveUsers } from '../users/resolve-user.ts';
import { newUuid } from '../values/id.ts';
import { mergeMap } from '../values/merge-patch.ts';
import { toContent, toContentWithBody } from './content.ts';
import { contents } from './queries.ts';
import { insertSlugged, slugOf } from './slug.ts';
import type { ContentRow, ContentStatus } from './tables.ts';

const matching = prepareMatching(contents);
const insertMany = prepareInsertMany(contents);
const updateMany = prepareUpdateMany(contents);

/** An import can publish and archive, too. */
interface WithStatus {
  status?: ContentStatus;
}

interface ContentTypes {
  answer: Schema<'ContentWithBody'>;
  kind: 'content';
  row: ContentRow;
  new: Schema<'CreateContent'> & WithStatus;
  patch: Schema<'UpdateContent'> & WithStatus;
  references: ActiveUsers;
}

/** The rules of imports. Without a slug, the one made from the title counts, so that a repeated import finds its content. */
export const contentImportRules: Rules<ContentTypes> = {
  kind: 'content',
  resource: contents,
  toObject: toContent,
  checkNew(checkBody, { status, ...fields }: WithStatus) {
    return { ...checkBody('createContent', fields), ...(status && { status }) };
  },
  lockReferences: (db, items, assignable) =>
    lockActiveUsers(
      db,
      items.map((item) => (item as Schema<'UpdateContent'>).author_user_id),
      assignable,
    ),
  toRow(content, active) {
    const { summary = null, body = null, url = null, language = null } = content;
    return {
      id: newUuid(),
      title: content.title,
      slug: content.slug ?? slugOf(content.title),
      type: content.type,
      ...{ summary, body, url, language },
      author_user_id: activeUser(active, 'author_user_id', content.author_user_id) ?? null,
      tags: distinct(content.tags),
      metadata: content.metadata,
      ...withStatus(content.status ?? 'draft'),
    };
  },
  patch(
    before,
    { author_user_id: author, metadata, tags, add_tags, remove_tags, status, ...fields },
    active,
  ) {
    return {
      ...fields,
      author_user_id: activeUser(active, 'author_user_id', author, before.author_user_id),
      metadata: patchMetadata(before.metadata, metadata),
      tags: patchTags(before.tags, { tags, add_tags, remove_tags }),
      ...(status !== undefined && status !== before.status && withStatus(status, before)),
    };
  },
  merge: (before, content, active) => ({
    summary: before.summary ?? content.summary ?? null,
    body: before.body ?? content.body ?? null,
    url: before.url ?? content.url ?? null,
    language: before.language ?? content.language ?? null,
    author_user_id: before.author_user_id ?? activeUser(active, 'author_user_id', content.author_user_id),
    tags: distinct([...before.tags, ...(content.tags ?? [])]),
    metadata: fillMissing(before.metadata, mergeMap({}, content.metadata)),
  }),
  findRows: (db, wanted, lock) => db.run(matching(wanted, lock)),
  insertRows: (rows, { db }) => runAll(db, insertMany(rows)),
  updateRows: (changes, { db }) => runAll(db, updateMany(changes)),
  // As of the requests that create, and then publish or archive.
  eventsOfNew(content) {
    const draft = { ...content, status: 'draft' as const, published_at: null, archived_at: null };
    return [createdEvent('content', draft), ...updatedEvents('content', draft, content)];
  },
};

/** The same one by one. Without a slug, the one made from the title gets a number if others have it. */
export const contentRules: SingleRules<ContentTypes> = {
  ...contentImportRules,
  toRow(content, active) {
    const row = contentImportRules.toRow(content, active);
    return content.slug === undefined ? { ...row, slug: undefined } : row;
  },
  toAnswer: toContentWithBody,
  insertRow: (row, writer) =>
    row.slug === undefined ? insertSlugged(writer.db, row) : insertOrThrow(writer, contents, row),
  updateRow: (before, values, writer) => updateOrThrow(writer, contents, before, values),
};

/** The status with its timestamps. */
function withStatus(
  status: ContentStatus,
  before?: ContentRow,
): Pick<RowValues<ContentRow>, 'status' | 'published_at' | 'archived_at'> {
  const now = new Date().toISOString();
  if (status === 'archived') return { status, published_at: before?.published_at ?? null, archived_at: now };
  return { status, published_at: status === 'published' ? now : null, archived_at: null };
}
