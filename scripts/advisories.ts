/**
 * Published advisories of moderate severity or more about packages that run in production, with the first version of the
 * line we use that has the fix. A test checks that we have none older.
 */
export const advisories: Record<string, { id: string; about: string; fixedIn: string }[]> = {
  '@apidevtools/json-schema-ref-parser': [
    { id: 'GHSA-5f97-h2c2-826q', about: 'prototype pollution', fixedIn: '11.2.0' },
  ],
  ajv: [{ id: 'GHSA-2g4f-4pwh-qvx6', about: 'slow expressions with `$data`', fixedIn: '8.18.0' }],
  'body-parser': [
    { id: 'GHSA-wqch-xfxh-vrr4', about: 'denial of service by forms', fixedIn: '2.2.1' },
    { id: 'GHSA-v422-hmwv-36x6', about: 'a wrong limit is no limit', fixedIn: '2.3.0' },
  ],
  cookie: [{ id: 'GHSA-pxg6-pf52-xh8x', about: 'names with characters out of bounds', fixedIn: '0.7.0' }],
  'csv-parse': [{ id: 'GHSA-582f-p4pg-xc74', about: 'slow expressions', fixedIn: '4.4.6' }],
  'express-rate-limit': [
    { id: 'GHSA-46wh-pxpv-q5gq', about: 'all IPv4 addresses count as one', fixedIn: '8.2.2' },
  ],
  'fast-uri': [
    { id: 'GHSA-v2hh-gcrm-f6hx', about: 'one host taken for another', fixedIn: '3.1.4' },
    { id: 'GHSA-7p8r-x3mc-p8w7', about: 'one host taken for another', fixedIn: '3.1.5' },
    { id: 'GHSA-5jgf-p345-68v8', about: 'one host taken for another', fixedIn: '3.1.6' },
    { id: 'GHSA-qw65-cvwx-89v3', about: 'a host in the place of the port', fixedIn: '3.1.7' },
  ],
  'find-my-way': [{ id: 'GHSA-c96f-x56v-gq3h', about: 'denial of service by HTTP/2', fixedIn: '9.7.0' }],
  'ip-address': [
    { id: 'GHSA-v2v4-37r5-5v8g', about: 'cross-site scripting in its HTML', fixedIn: '10.1.1' },
    { id: 'GHSA-mwp4-54f8-5fhr', about: 'octal numbers read as decimal', fixedIn: '10.3.1' },
  ],
  jose: [{ id: 'GHSA-hhhv-q57g-882q', about: 'denial of service by compressed JWE', fixedIn: '4.15.5' }],
  'js-yaml': [
    { id: 'GHSA-mh29-5h37-fv8m', about: 'prototype pollution', fixedIn: '4.1.1' },
    { id: 'GHSA-5p4m-2wfm-xmqj', about: 'quadratic time', fixedIn: '4.3.1' },
  ],
  knex: [{ id: 'GHSA-4jv9-3563-23j3', about: 'SQL injection by objects with MySQL', fixedIn: '2.4.0' }],
  lodash: [
    { id: 'GHSA-xxjr-mmjv-4gpg', about: 'prototype pollution', fixedIn: '4.18.0' },
    { id: 'GHSA-r5fr-rjxr-66jc', about: 'code injection by `_.template`', fixedIn: '4.18.0' },
  ],
  minimist: [{ id: 'GHSA-xvch-5gv4-984h', about: 'prototype pollution', fixedIn: '1.2.6' }],
  multer: [
    { id: 'GHSA-72gw-mp4g-v24j', about: 'denial of service by names of fields', fixedIn: '2.2.0' },
    { id: 'GHSA-wc9g-mqfw-jrwm', about: 'denial of service by names of fields', fixedIn: '2.3.0' },
  ],
  negotiator: [{ id: 'GHSA-7mc5-chhp-fmc3', about: 'slow expressions', fixedIn: '0.6.1' }],
  'path-to-regexp': [{ id: 'GHSA-j3q9-mxjg-w52f', about: 'slow expressions', fixedIn: '8.4.0' }],
  qs: [
    { id: 'GHSA-6rw7-vpxm-498p', about: 'denial of service by brackets', fixedIn: '6.14.1' },
    { id: 'GHSA-q8mj-m7cp-5q26', about: 'denial of service', fixedIn: '6.15.2' },
    { id: 'GHSA-x5fp-wj9c-mxmx', about: 'a way around `arrayLimit`', fixedIn: '6.16.0' },
  ],
  send: [{ id: 'GHSA-m6fv-jmcg-4jfg', about: 'cross-site scripting by redirects', fixedIn: '0.19.0' }],
  'serve-static': [
    { id: 'GHSA-cm22-4g7w-348p', about: 'cross-site scripting by redirects', fixedIn: '1.16.0' },
  ],
  'swagger-ui-dist': [
    { id: 'GHSA-cmwh-pvxp-8882', about: 'the DOMPurify in it lets scripts through', fixedIn: '5.32.13' },
  ],
  uuid: [{ id: 'GHSA-w5hq-g745-h8pq', about: 'writes past the end of a buffer', fixedIn: '11.1.1' }],
  yaml: [{ id: 'GHSA-48c2-rrv3-qjmp', about: 'stack overflow by nested collections', fixedIn: '2.8.3' }],
};
