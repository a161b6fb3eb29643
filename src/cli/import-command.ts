import { type Command, Option } from 'commander';
import { add, type Options, Repeatable } from './command.ts';
import { parsePair } from './values.ts';

/** Adds the command that imports a file. */
export function addImportCommand(program: Command): void {
  add(
    program,
    'import <file>',
    'import a file, like POST /imports; exit code 1 if rows failed, 3 if doubts kept it from starting',
    async ({ db, databaseUrl, logger, config }, options, file) => {
      const { importFile } = await import('./import-file.ts');
      const { errors, rejected, values, acceptDoubts, yes = false, json = false } = options;
      const { defaultCountry } = config;
      const document = importDocument(options);
      const answers = { acceptDoubts: acceptDoubts === undefined ? [] : [acceptDoubts], yes, json };
      const files = { values, errors, rejected };
      return importFile(file, { db, databaseUrl, logger, defaultCountry, document, ...answers, ...files });
    },
  )
    .option('--resource <resource>', 'what the rows are: leads, contacts, users, content or notes', 'leads')
    .addOption(
      new Repeatable(
        '--map <column=field>',
        'the field that a column fills; an empty field ignores the column; may be repeated',
      ).argParser(parsePair('lastIndexOf')),
    )
    .addOption(
      new Repeatable(
        '--default <field=value>',
        'the value of a field in rows where it is empty; may be repeated',
      ).argParser(parsePair('indexOf')),
    )
    .option(
      '--match <field>',
      'how a row is matched with an existing record: email, external_id or slug',
      'email',
    )
    .option('--on-duplicate <action>', 'what to do with a match: merge, update, ignore or reject', 'reject')
    .option('--values <file>', 'a JSON file with translations, such as {"status": {"Open": "new"}}')
    .option('--locale <locale>', 'the language of dates and amounts, such as de or en-US')
    .option('--default-country <country>', 'the country of national phone numbers, such as DE')
    .option('--charset <charset>', 'the encoding of the file, such as windows-1252')
    .option('--sheet <name>', 'the sheet of a workbook; the first one by default')
    .option('--create-users', 'create users whom rows name by email, and who do not exist, as inactive users')
    .option('--dry-run', 'count the rows and find the errors, but change nothing')
    .addOption(
      new Option(
        '--accept-doubts <doubt>',
        'a doubt to answer beforehand: footer leaves out rows at the end that look like one',
      ).choices(['footer']),
    )
    .option('-y, --yes', 'import in spite of doubts, which leaves out no row')
    .option('--errors <file>', "write the rows' errors to this CSV file; - is standard output")
    .option('--rejected <file>', 'write rejected rows to this new file, and not beside the source');
}

type ImportOptions = Pick<
  Options,
  | 'resource'
  | 'match'
  | 'onDuplicate'
  | 'dryRun'
  | 'map'
  | 'default'
  | 'locale'
  | 'defaultCountry'
  | 'charset'
  | 'sheet'
  | 'createUsers'
>;

/** Converts options to the document of `POST /imports`. An empty field ignores its column. */
function importDocument(options: ImportOptions): object {
  const { resource, match, onDuplicate, dryRun = false, map = {}, default: defaults = {} } = options;
  const {
    createUsers: create_users = false,
    locale,
    defaultCountry: default_country,
    charset,
    sheet,
  } = options;
  const columns = Object.entries(map).map(([column, field]) => [column, field || null]);
  const given = { locale, default_country, charset, sheet };
  return {
    resource,
    match,
    on_duplicate: onDuplicate,
    mode: dryRun ? 'try' : 'import',
    create_users,
    mapping: Object.fromEntries(columns),
    defaults,
    ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)),
  };
}
