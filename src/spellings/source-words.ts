import type { schemas } from '../../generated/limits.ts';

type Source = (typeof schemas.LeadSource.enum)[number];

/** Words that show a source wherever they stand in its name, in lower case without accents. The first list that fits wins. */
const words: readonly [Source, RegExp][] = [
  [
    'referral',
    /\b(referr?al|referred|referrer|partner|recommendation|word of mouth|empfehlung|recommandation|parrainage|recomendacion|referencia|passaparola|raccomandazione|indicacao|doorverwijzing|aanbeveling|polecenie|rekommendation|anbefaling)\b/,
  ],
  [
    'website',
    /\b(web|website|web ?site|webseite|homepage|site|sitio|sito|strona|webbplats|internet|online|organic|search|seo|google|bing|ads?|adwords|facebook|instagram|linkedin|twitter|tiktok|youtube|social|landing|form|formular|chat|blog|webinar|email|newsletter)\b/,
  ],
  [
    'manual',
    /\b(manual|manually|manuell|manuel|manuale|handmatig|recznie|phone|call|telefon|telephone|telefono|telefone|cold call|inquiry|trade ?show|event|messe|salon|feria|fiera|feira|beurs|targi|massa|conference|walk in|list|import|imported|csv|other|sonstige|autre|otro|altro|outro|overig|inne|annat)\b/,
  ],
  ['api', /\b(api|integration|zapier)\b/],
];

/** The source that fits another system's best. */
export function sources(text: string): Source | undefined {
  return words.find(([, pattern]) => pattern.test(text))?.[0];
}
