import { hmac, json, type Recipe, type Sent, typeform } from './senders.ts';

/** A Typeform answer with the reference of its question. */
const answer = (ref: string, type: string, value: string) => ({
  type,
  [type]: value,
  field: { id: `id-${ref}`, type: 'short_text', ref },
});

/** Jotform's form: all answers as JSON in rawRequest. */
function jotform(): Sent {
  const rawRequest = JSON.stringify({
    slug: 'submit/263220000000000',
    event_id: '1795167000000_263220000000000_Q1W2E3R',
    q3_name: { first: 'Ada', last: 'Jotform' },
    q4_email: 'ada@jotform.example',
    q5_phone: { full: '+1 (415) 555-2671' },
    q6_company: 'Engines Ltd',
    q7_message: 'Please call me.',
  });
  const fields = {
    formID: '263220000000000',
    submissionID: '6099887766554433221',
    webhookURL: 'https://api.example.com/v1/hooks/lph_live_x',
    ip: '192.0.2.1',
    formTitle: 'Contact',
    pretty: 'Name:Ada Jotform, Email:ada@jotform.example',
    username: 'engines',
    rawRequest,
    type: 'WEB',
  };
  const parts = Object.entries(fields).map(
    ([name, value]) => `--BOUNDARY\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  return {
    type: 'multipart/form-data; boundary=BOUNDARY',
    body: `${parts.join('')}--BOUNDARY--\r\n`,
    headers: {},
  };
}

const tallyField = (label: string, type: string, value: string) => ({
  key: `question_${label}`,
  label,
  type,
  value,
});

export const forms: readonly Recipe[] = [
  {
    section: 'Typeform',
    send: () =>
      typeform({
        event_id: '01KAJ0000000000000000000',
        event_type: 'form_response',
        form_response: {
          form_id: 'lT4Z3j',
          token: 'a3a12ec67a1365927098a606107fac15',
          landed_at: '2026-11-20T09:29:00Z',
          submitted_at: '2026-11-20T09:30:00Z',
          hidden: { utm_source: 'newsletter' },
          definition: { id: 'lT4Z3j', title: 'Contact', fields: [] },
          answers: [
            answer('company', 'text', 'Engines Ltd'),
            answer('email', 'email', 'ada@typeform.example'),
            answer('phone', 'phone_number', '+14155552671'),
            answer('name', 'text', 'Ada Typeform'),
            answer('message', 'text', 'Please call me.'),
          ],
        },
      }),
    lead: {
      name: 'Ada Typeform',
      email: 'ada@typeform.example',
      phone: '+14155552671',
      company: 'Engines Ltd',
      external_id: 'a3a12ec67a1365927098a606107fac15',
      metadata: { utm_source: 'newsletter' },
    },
    note: 'Please call me.',
  },
  {
    section: 'Tally',
    send: () =>
      json(
        {
          eventId: 'ce9f355d-2fc8-4f16-b56f-db656ef57f4a',
          eventType: 'FORM_RESPONSE',
          createdAt: '2026-11-20T09:30:00.000Z',
          data: {
            responseId: 'Z9Z97Go',
            submissionId: 'Z9Z97Go',
            respondentId: 'Pdgjl70',
            formId: 'XxA4WO',
            formName: 'Contact',
            createdAt: '2026-11-20T09:30:00.000Z',
            fields: [
              tallyField('Company', 'INPUT_TEXT', 'Engines Ltd'),
              tallyField('Name', 'INPUT_TEXT', 'Ada Tally'),
              tallyField('Email', 'INPUT_EMAIL', 'ada@tally.example'),
              tallyField('Phone', 'INPUT_PHONE_NUMBER', '+14155552671'),
              tallyField('Message', 'TEXTAREA', 'Please call me.'),
            ],
          },
        },
        (body) => ({ 'Tally-Signature': hmac('a-secret-of-yours', body).digest('base64') }),
      ),
    lead: {
      name: 'Ada Tally',
      email: 'ada@tally.example',
      phone: '+14155552671',
      company: 'Engines Ltd',
      external_id: 'Z9Z97Go',
      metadata: { form: 'Contact' },
    },
    note: 'Please call me.',
  },
  {
    section: 'Jotform',
    send: jotform,
    lead: {
      name: 'Ada Jotform',
      email: 'ada@jotform.example',
      phone: '+14155552671',
      company: 'Engines Ltd',
      external_id: '6099887766554433221',
      metadata: { form: 'Contact' },
    },
    note: 'Please call me.',
  },
  {
    section: 'Webflow',
    send: () =>
      json(
        {
          triggerType: 'form_submission',
          payload: {
            name: 'Contact Us',
            siteId: '65427cf400e02b306eaa049c',
            data: {
              'First Name': 'Ada',
              'Last Name': 'Webflow',
              Email: 'ada@webflow.example',
              'Phone Number': '+1 415-555-2671',
            },
            submittedAt: '2026-11-20T09:30:00.000Z',
            id: '6321ca84df3949bfc6752327',
            formId: '65429eadebe8a9f3a30f62d0',
          },
        },
        (body) => {
          const at = String(Date.now());
          const signature = hmac('the-client-secret-of-your-app', `${at}:${body}`).digest('hex');
          return { 'X-Webflow-Timestamp': at, 'X-Webflow-Signature': signature };
        },
      ),
    lead: {
      name: 'Ada Webflow',
      email: 'ada@webflow.example',
      phone: '+14155552671',
      external_id: '6321ca84df3949bfc6752327',
      metadata: { form: 'Contact Us' },
    },
  },
];
