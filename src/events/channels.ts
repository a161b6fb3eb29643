/** The NOTIFY channels on which processes announce what they have committed. */

/** New events. */
export const EVENTS = 'events';

/** New deliveries to webhooks. */
export const DELIVERIES = 'deliveries';
