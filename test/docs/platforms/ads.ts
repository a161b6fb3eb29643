import { googleAds, linkedIn, meta, type Recipe } from './senders.ts';

export const metaNotification = {
  object: 'page',
  entry: [
    {
      id: '112233445566778',
      time: 1795167000,
      changes: [
        {
          field: 'leadgen',
          value: {
            leadgen_id: '444444444444444444',
            page_id: '112233445566778',
            form_id: '555555555555555555',
            ad_id: '666666666666666666',
            adgroup_id: '666666666666666666',
            created_time: 1795167000,
          },
        },
      ],
    },
  ],
};

export const linkedInNotification = {
  type: 'LEAD_ACTION',
  leadGenFormResponse: 'urn:li:leadGenFormResponse:1a2b3c-4',
  leadGenForm: 'urn:li:versionedLeadGenForm:(urn:li:leadGenForm:818,1)',
  owner: { sponsoredAccount: 'urn:li:sponsoredAccount:123' },
  associatedEntity: { sponsoredCreative: 'urn:li:sponsoredCreative:456' },
  leadType: 'SPONSORED',
  leadAction: 'CREATED',
  occurredAt: 1795167000123,
};

const linkedInAnswer = (questionId: number, answer: string) => ({
  questionId,
  answerDetails: { textQuestionAnswer: { answer } },
});

export const ads: readonly Recipe[] = [
  {
    section: 'Google Ads lead forms',
    send: () => googleAds('20-google-ads-a.json', 'a-key-of-yours'),
    lead: {
      name: 'Ada Example',
      email: 'ada@example.com',
      phone: '+16505550123',
      external_id: 'L1',
      tags: ['google-ads'],
      metadata: { campaign_id: '2', gcl_id: 'x' },
    },
  },
  {
    section: 'Meta lead ads',
    send: () =>
      meta({
        id: '444444444444444444',
        created_time: '2026-11-20T09:30:00+0000',
        form_id: '555555555555555555',
        ad_id: '666666666666666666',
        field_data: [
          { name: 'email', values: ['ada@meta.example'] },
          { name: 'full_name', values: ['Ada Meta'] },
          { name: 'phone_number', values: ['+14155552671'] },
          { name: 'company_name', values: ['Engines Ltd'] },
        ],
      }),
    lead: {
      name: 'Ada Meta',
      email: 'ada@meta.example',
      phone: '+14155552671',
      company: 'Engines Ltd',
      external_id: '444444444444444444',
      metadata: { form_id: '555555555555555555', ad_id: '666666666666666666' },
    },
  },
  {
    section: 'LinkedIn lead gen forms',
    send: () =>
      linkedIn({
        id: '1a2b3c-4',
        leadType: 'SPONSORED',
        testLead: false,
        submittedAt: 1795167000123,
        owner: { sponsoredAccount: 'urn:li:sponsoredAccount:123' },
        versionedLeadGenFormUrn: 'urn:li:versionedLeadGenForm:(urn:li:leadGenForm:818,1)',
        formResponse: {
          consentResponses: [{ accepted: true, consentId: 1 }],
          answers: [
            linkedInAnswer(3, 'ada@linkedin.example'),
            linkedInAnswer(2, 'LinkedIn'),
            linkedInAnswer(1, 'Ada'),
            linkedInAnswer(5, 'Engines Ltd'),
          ],
        },
      }),
    lead: {
      name: 'Ada LinkedIn',
      email: 'ada@linkedin.example',
      company: 'Engines Ltd',
      external_id: '1a2b3c-4',
      metadata: { form: 'urn:li:versionedLeadGenForm:(urn:li:leadGenForm:818,1)' },
    },
  },
];
