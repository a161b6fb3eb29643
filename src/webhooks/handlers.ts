import { filteredBy } from '../db/list/filters.ts';
import type { Handlers } from '../operation.ts';
import { listAll } from '../resource/read.ts';
import { cancelWebhookReplay } from './cancel-webhook-replay.ts';
import { createWebhook } from './create-webhook.ts';
import { createWebhookReplay } from './create-webhook-replay.ts';
import { deleteWebhook } from './delete-webhook.ts';
import { getWebhook } from './get-webhook.ts';
import { getWebhookDelivery } from './get-webhook-delivery.ts';
import { getWebhookReplay } from './get-webhook-replay.ts';
import { listWebhookDeliveries } from './list-webhook-deliveries.ts';
import { listWebhookReplays } from './list-webhook-replays.ts';
import { webhookFilters, webhooks } from './queries.ts';
import { redeliverWebhookDelivery } from './redeliver-webhook-delivery.ts';
import { rotateWebhookSecret } from './rotate-webhook-secret.ts';
import { testWebhook } from './test-webhook.ts';
import { updateWebhook } from './update-webhook.ts';
import { toWebhook } from './webhook.ts';

/** The webhooks' part of src/operations.ts. */
export const webhookHandlers = {
  listWebhooks: listAll(webhooks, filteredBy(webhookFilters), toWebhook),
  createWebhook,
  getWebhook,
  updateWebhook,
  deleteWebhook,
  rotateWebhookSecret,
  testWebhook,
  createWebhookReplay,
  listWebhookReplays,
  getWebhookReplay,
  cancelWebhookReplay,
  listWebhookDeliveries,
  getWebhookDelivery,
  redeliverWebhookDelivery,
} satisfies Partial<Handlers>;
