import { calendly, json, type Recipe, type Sent } from './senders.ts';

/** Elementor's form with Advanced Data. */
function elementor(): Sent {
  const field = (id: string, value: string, type = 'text') =>
    Object.entries({ id, type, title: id, value, raw_value: value, required: '1' }).map(([key, text]) => [
      `fields[${id}][${key}]`,
      text,
    ]);
  const entries = [
    ['form[id]', '1606c7c4'],
    ['form[name]', 'Contact'],
    ...field('name', 'Ada Elementor'),
    ...field('email', 'ada@elementor.example', 'email'),
    ...field('phone', '0044 20 7946 0123', 'tel'),
    ...field('message', 'Hello!', 'textarea'),
    ['meta[date][title]', 'Date'],
    ['meta[date][value]', '20 November 2026'],
    ['meta[page_url][title]', 'Page URL'],
    ['meta[page_url][value]', 'https://www.example.com/contact/'],
  ];
  return {
    type: 'application/x-www-form-urlencoded',
    body: new URLSearchParams(entries as [string, string][]).toString(),
    headers: {},
  };
}

export const sites: readonly Recipe[] = [
  {
    section: 'Elementor',
    send: elementor,
    lead: {
      name: 'Ada Elementor',
      email: 'ada@elementor.example',
      phone: '+442079460123',
      metadata: { form: 'Contact', page: 'https://www.example.com/contact/' },
    },
    note: 'Hello!',
  },
  {
    section: 'HubSpot forms',
    send: () =>
      json(
        '{"firstname":"Ada","lastname":"HubSpot","email":"ada@hubspot.example","phone":"+14155552671","company":"Engines Ltd","hs_object_id":9007199254740993}',
        () => ({ 'X-Hook-Secret': 'a-secret-of-yours' }),
      ),
    lead: {
      name: 'Ada HubSpot',
      email: 'ada@hubspot.example',
      phone: '+14155552671',
      company: 'Engines Ltd',
    },
  },
  {
    section: 'Calendly',
    send: () =>
      calendly('invitee.created', {
        uri: 'https://api.calendly.com/scheduled_events/E1/invitees/I1',
        email: 'ada@calendly.example',
        name: 'Ada Calendly',
        first_name: null,
        last_name: null,
        text_reminder_number: '+14155552671',
        timezone: 'Europe/Berlin',
        status: 'active',
        questions_and_answers: [{ question: 'Company', answer: 'Engines Ltd', position: 0 }],
        tracking: { utm_source: 'newsletter', utm_campaign: null },
        scheduled_event: { name: '30 Minute Meeting', start_time: '2026-12-01T10:00:00.000000Z' },
      }),
    lead: {
      name: 'Ada Calendly',
      email: 'ada@calendly.example',
      phone: '+14155552671',
      company: 'Engines Ltd',
      external_id: 'https://api.calendly.com/scheduled_events/E1/invitees/I1',
      metadata: {
        event: '30 Minute Meeting',
        starts_at: '2026-12-01T10:00:00.000000Z',
        utm_source: 'newsletter',
      },
    },
  },
  {
    section: 'A plain HTML form',
    send: () => ({
      type: 'application/x-www-form-urlencoded',
      body: 'name=J%FCrgen+Form&email=ada%40form.example&phone=&message=Hello%21&website=',
      headers: { Origin: 'https://www.example.com' },
    }),
    lead: { name: 'Jürgen Form', email: 'ada@form.example', phone: null, tags: ['contact-page'] },
    note: 'Hello!',
  },
];
