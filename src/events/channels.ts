/** The channels of PostgreSQL on which processes tell each other what they have committed. */

/** New events. */
export const EVENTS = 'events';

/** New deliveries to webhooks. */
export const DELIVERIES = 'deliveries';
