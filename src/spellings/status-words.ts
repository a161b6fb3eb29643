import type { schemas } from '../../generated/limits.ts';

type Status = (typeof schemas.LeadStatus.enum)[number];

/** Other systems' statuses, and ours in other languages, in lower case without accents and punctuation. */
const words: Record<Status, string> = {
  new: 'open|open not contacted|not contacted|neu|nouveau|nuevo|nuovo|novo|nieuw|nowy|ny|uusi',
  contacted:
    'working|working contacted|in progress|attempted to contact|connected|kontaktiert|contacte|contactado|contattato|gecontacteerd|skontaktowano|kontaktad',
  qualified:
    'open deal|sales qualified|converted|qualifiziert|qualifie|calificado|cualificado|qualificato|qualificado|gekwalificeerd|zakwalifikowany|kvalificerad',
  won: 'closed won|customer|gewonnen|gagne|ganado|vinto|ganho|wygrany|wygrana|vunnen',
  lost: 'closed lost|closed not converted|unqualified|disqualified|junk|verloren|perdu|perdido|perso|przegrany|przegrana|forlorad',
};

export const statuses: ReadonlyMap<string, Status> = new Map(
  Object.entries(words).flatMap(([status, list]) => list.split('|').map((word) => [word, status as Status])),
);
