import type { schemas } from '../../generated/limits.ts';

type Source = (typeof schemas.LeadSource.enum)[number];

/**
 * Words of other systems and languages for a source, in lower case without accents. A word ending with `*` also stands for
 * what begins with it.
 */
const words: readonly [Source, string][] = [
  [
    'referral',
    `referral* referal* referred referrer partner* recommend* recommandation parrainage recomendacion recomendado
    referencia* passaparola raccomandazione indicacao doorverwijzing aanbeveling polecenie rekommendation anbefaling
    empfehlung* mouth mundpropaganda bouche boca friend friends affiliate*`,
  ],
  [
    'website',
    `web website webseite homepage site sitio sito strona webbplats hjemmeside internet online organic search seo sem google
    bing yahoo ads ad adwords advert* werbung anzeige* publicite anuncio* pubblicita reklama facebook fb instagram ig meta
    linkedin twitter x tiktok youtube xing pinterest social landing form forms formular* formulaire formulario chat livechat
    blog webinar* email newsletter download* paid traffic direct campaign* inbound visitor* prospector`,
  ],
  [
    'manual',
    `manual* manuell manuel handmatig recznie phone call calls telefon* telephone telefono telefone calling kaltakquise outbound sales* network* meeting* inquiry enquiry fair
    tradeshow show event* messe salon feria fiera feira beurs targi massa conference seminar* walk visit* offline list import*
    imported csv spreadsheet excel upload migration crm mail letter fax public relations employee other sonstige* andere autre*
    otro* altro outro* overig* inne annat andet`,
  ],
  ['api', 'api integration* zapier make webhook*'],
];

const patterns = words.map(([source, list]): [Source, RegExp] => {
  const alternatives = list
    .trim()
    .split(/\s+/)
    .map((word) => word.replace(/\*$/, '\\p{L}*'));
  return [source, new RegExp(`(?<!\\p{L})(?:${alternatives.join('|')})(?!\\p{L})`, 'u')];
});

/** The source that fits another system's best. */
export function similarSource(text: string): Source | undefined {
  return patterns.find(([, pattern]) => pattern.test(text))?.[0];
}
