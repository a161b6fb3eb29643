import helmet from 'helmet';

/**
 * Pages load only their own files and call only their own host. Trusted Types make the browser refuse text that is assigned
 * as markup, such as to innerHTML: leads contain text from strangers.
 */
export const strictPolicy = helmet.contentSecurityPolicy({
  useDefaults: false,
  directives: {
    defaultSrc: ["'none'"],
    scriptSrc: ["'self'"],
    styleSrc: ["'self'"],
    imgSrc: ["'self'"],
    connectSrc: ["'self'"],
    baseUri: ["'none'"],
    formAction: ["'none'"],
    frameAncestors: ["'none'"],
    requireTrustedTypesFor: ["'script'"],
    trustedTypes: ["'none'"],
  },
});
