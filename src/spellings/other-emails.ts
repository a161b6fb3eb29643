/** The addresses in `metadata.other_emails`, where imports and hooks put all but the first. As other_emails() in SQL. */
export function otherEmailsIn(metadata: Record<string, string> | undefined): string[] {
  return (metadata?.other_emails ?? '').split(/[\s,;]+/).filter((email) => email !== '');
}
