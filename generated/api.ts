// Generated from openapi/ by `npm run generate`. Do not edit.

export interface paths {
    "/auth/token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Exchange credentials for a token
         * @description Gets an access token with the OAuth 2.0 client credentials grant. Send `client_id` and `client_secret` in the
         *     body or by HTTP Basic. By default, the token has every scope of your client. Use `scope` to ask for fewer. The
         *     token is valid for 3600 seconds. In the sandbox, you can set another time with `expires_in`. There are no
         *     refresh tokens: get a new token instead.
         *
         *     If a field is missing or the grant is not `client_credentials`, the answer is 422 for a JSON body and 400 for a
         *     form. An unknown client and a wrong secret get the same answer.
         *
         *     After 10 wrong secrets for a client from one IP address within 5 minutes, that address gets a 429
         *     (`client_locked`) for this client until the 5 minutes have passed, even with the right secret. Other addresses
         *     are not affected. The client's existing tokens remain valid.
         */
        post: operations["createToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/revoke": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Revoke a token or an API key
         * @description Revokes one of your client's own tokens (RFC 7009). Within a second, no process of the service accepts it any
         *     more. Send your credentials in the body or by HTTP Basic, as for a token. If the token is unknown, expired or
         *     belongs to another client, the answer is also 200, and nothing changes.
         *
         *     If you hold an API key that has leaked, send it as `token`. A key needs no other credentials: whoever has it can
         *     revoke it.
         */
        post: operations["revokeToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show your client
         * @description Returns the client that your token or API key belongs to, the scopes, and when it expires. This needs no scope.
         */
        get: operations["getCurrentClient"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/jwks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the public signing keys
         * @description Returns the JSON Web Key Set (RFC 7517) that verifies the tokens of this environment.
         */
        get: operations["getJwks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/leads": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List leads
         * @description Returns a page of leads. The newest lead comes first unless you send `sort`. Equal values are sorted by id. A
         *     lead must match all filters. A filter with several values matches any of them: separate the values with commas,
         *     or repeat the parameter.
         *
         *     `search` looks in the name, email and company. It also finds a phone number by its last digits, at least seven. A
         *     request with `search` counts in the rate-limit class `search` instead of `read`.
         */
        get: operations["listLeads"];
        put?: never;
        /**
         * Create a lead
         * @description Creates a lead. Only one lead can have an email address, ignoring case, or an `external_id`. A second one is a
         *     422 (`duplicate_email`, `duplicate_external_id`), and `existing_id` names the first if you may read leads.
         */
        post: operations["createLead"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/leads/batch/create": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create many leads
         * @description Creates up to 1,000 leads. Each item has the fields of `POST /leads`, and the same rules apply. If two items
         *     have the same email, the first wins.
         *
         *     The answer has a result for each item, in the same order. An invalid item doesn't affect the others: its status
         *     is `failed`, and its `errors` are those of a request with this item alone. With `atomic: true`, one invalid item
         *     fails the whole batch: nothing is created, and the answer is a 422 whose `errors` name fields as in
         *     `items.17.email`.
         *
         *     A batch has at most 1,000 items and 8 MiB. It counts as one request in the rate-limit class `batch`.
         */
        post: operations["batchCreateLeads"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/leads/batch/upsert": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create or update many leads
         * @description Updates each lead that exists, and creates the others. `match` names the field that identifies a lead: `email`,
         *     ignoring case, or `external_id`. Each item must have that field.
         *
         *     Fields that you leave out stay as they are, or get their defaults in a new lead. Null clears a field. `metadata`
         *     is merged, key by key. The items of a batch are applied one after another, so a later item with the same email
         *     or external id updates the result of an earlier one. At most 100 items can be about the same lead.
         *
         *     The answer has a result for each item, in the same order: `created`, `updated`, `unchanged` or `failed`. With
         *     `atomic: true`, one invalid item fails the whole batch: nothing is written, and the answer is a 422 whose
         *     `errors` name fields as in `items.17.email`.
         *
         *     A batch has at most 1,000 items and 8 MiB. It counts as one request in the rate-limit class `batch`.
         */
        post: operations["batchUpsertLeads"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/leads/batch/update": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Update many leads
         * @description Updates leads. Each item has the `id` of a lead and a `patch` with the fields of `PATCH /leads/{id}`. If an item
         *     has a `version` and the lead has another one, the item fails with the code `version_mismatch`. At most 100 items
         *     can change the same lead. They are applied one after another.
         *
         *     The answer has a result for each item, in the same order: `updated`, `unchanged` or `failed`. With `atomic:
         *     true`, one invalid item fails the whole batch: nothing is changed, and the answer is a 422 whose `errors` name
         *     fields as in `items.17.patch.email`.
         *
         *     A batch has at most 1,000 items and 8 MiB. It counts as one request in the rate-limit class `batch`.
         */
        post: operations["batchUpdateLeads"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/leads/batch/delete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Delete many leads
         * @description Deletes leads permanently, with their notes. Their events remain, but the service erases personal data from
         *     them.
         *
         *     The answer has a result for each id, in the same order: `deleted` or `not_found`. With `atomic: true`, an
         *     unknown id fails the whole batch: nothing is deleted, and the answer is a 422 whose `errors` name the id as in
         *     `ids.17`.
         *
         *     A batch has at most 1,000 items and 8 MiB. It counts as one request in the rate-limit class `batch`.
         */
        post: operations["batchDeleteLeads"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/leads/batch/read": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Read many leads
         * @description Returns up to 1,000 leads by their `ids`, `emails` (ignoring case) or `external_ids`. Send exactly one of these.
         *     The answer has a result for each value, in the same order: `found` with the lead, or `not_found`. The request
         *     writes nothing.
         *
         *     After the first 4 MiB, results contain only the `id`. Read those leads in another request.
         *
         *     A batch has at most 1,000 items and 8 MiB. It counts as one request in the rate-limit class `batch`.
         */
        post: operations["batchReadLeads"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/leads/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export leads
         * @description Returns all leads that match the filters, in one file. The filters, `search`, `sort` and the order are those of
         *     `GET /leads`. The file is a consistent snapshot: changes made during the export are not included.
         *
         *     `Accept` chooses the format:
         *
         *     - `text/csv`, the default: a header line, then a line for each lead (RFC 4180, in UTF-8). An empty cell means
         *       null. `tags` and `metadata` are JSON. `value` has two columns, `value.amount` and `value.currency`.
         *     - `application/x-ndjson`: a JSON object on each line, with the same fields as in `GET /leads/{id}`.
         *
         *     The file may be large, so write it to disk while you read it. If something goes wrong, the service aborts the
         *     connection: if the transfer ends properly, the file is complete. Your client can run one export at a time, for
         *     up to 30 minutes. A second one waits for 3 seconds, and then gets a 503. Try again after as many seconds as
         *     `Retry-After` says.
         *
         *     An export counts in the rate-limit class `analytics`, or in `search` if it has a `search`.
         */
        get: operations["exportLeads"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/leads/external/{external_id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The lead's id in your own system. Percent-encode it, so that a slash becomes `%2F`. It can't contain control
                 *     characters, such as a line feed.
                 * @example crm-4711
                 */
                external_id: string;
            };
            cookie?: never;
        };
        /**
         * Get a lead by your own id
         * @description Returns the lead that has this `external_id`. If you send `If-None-Match` and the lead has not changed, the
         *     answer is 304 without a body.
         */
        get: operations["getLeadByExternalId"];
        /**
         * Create or update a lead by your own id
         * @description Keeps leads in sync with your own system. You don't need to know whether the lead already exists, and you can
         *     repeat the request.
         *
         *     If a lead has this `external_id`, the service changes the fields that you send, like `PATCH /leads/{id}`, and
         *     answers 200. Fields that you leave out stay as they are. Null clears a field.
         *
         *     Otherwise, the service creates the lead and answers 201. A new lead needs the fields that `POST /leads`
         *     requires. With `If-Match`, the service does not create a lead, and answers 412. With `If-None-Match: *`, it
         *     does not change one, and answers 412.
         */
        put: operations["upsertLead"];
        post?: never;
        /**
         * Delete a lead by your own id
         * @description Deletes the lead that has this `external_id` permanently, like `DELETE /leads/{id}`. If you delete it again, the
         *     answer is 404.
         */
        delete: operations["deleteLeadByExternalId"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/leads/{id}/notes": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the lead.
                 * @example lead_01m7w4n5e0e3tajy9kep34bze2
                 */
                id: components["parameters"]["LeadId"];
            };
            cookie?: never;
        };
        /**
         * List a lead's notes
         * @description Returns a page of the lead's notes. The newest note comes first unless you send `sort`. Filter by `pinned` to
         *     get the notes to show above the others.
         *
         *     A page ends at 4 MiB, so it may have fewer notes than `per_page`. Continue with `next_cursor` or `Link`.
         *
         *     When the lead is converted, its notes stay with the lead. `GET /leads?contact_id=` finds a contact's leads.
         */
        get: operations["listLeadNotes"];
        put?: never;
        /**
         * Create a note about a lead
         * @description Records what was said or agreed. The service sets the `author` to the client that sends the request.
         *
         *     The event `note.created` appears in the lead's history. Webhooks that subscribe to it receive it.
         */
        post: operations["createLeadNote"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/leads/{id}/notes/{note_id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the lead.
                 * @example lead_01m7w4n5e0e3tajy9kep34bze2
                 */
                id: components["parameters"]["LeadId"];
                /**
                 * @description The id of the note.
                 * @example note_01m7w4n5e0fnt8s5k2x9c3qrzv
                 */
                note_id: components["parameters"]["NoteIdInPath"];
            };
            cookie?: never;
        };
        /**
         * Get a note about a lead
         * @description Returns a note. If you send `If-None-Match` and the note has not changed, the answer is 304 without a body.
         */
        get: operations["getLeadNote"];
        put?: never;
        post?: never;
        /**
         * Delete a note about a lead
         * @description Deletes the note permanently. If you delete it again, the answer is 404. Its earlier events remain, with the
         *     text, until the lead is deleted or 90 days have passed.
         */
        delete: operations["deleteLeadNote"];
        options?: never;
        head?: never;
        /**
         * Update a note about a lead
         * @description Changes the fields that you send (JSON Merge Patch, RFC 7396). Fields that you leave out stay as they are. If
         *     nothing changes, the answer is 200 with the same version. The `author` remains the client that created the note.
         */
        patch: operations["updateLeadNote"];
        trace?: never;
    };
    "/leads/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the lead.
                 * @example lead_01m7w4n5e0e3tajy9kep34bze2
                 */
                id: components["parameters"]["LeadId"];
            };
            cookie?: never;
        };
        /**
         * Get a lead
         * @description Returns a lead. If you send `If-None-Match` and the lead has not changed, the answer is 304 without a body.
         */
        get: operations["getLead"];
        put?: never;
        post?: never;
        /**
         * Delete a lead
         * @description Deletes the lead permanently, with its notes. If you delete it again, the answer is 404. The events of the lead
         *     and of its notes remain, but the service erases personal data and the text of notes from them. It does the same
         *     in stored answers to an `Idempotency-Key`.
         */
        delete: operations["deleteLead"];
        options?: never;
        head?: never;
        /**
         * Update a lead
         * @description Changes the fields that you send (JSON Merge Patch, RFC 7396). Fields that you leave out stay as they are. Null
         *     clears a field. If nothing changes, the answer is 200 with the same version.
         *
         *     A lead can go from any status to any other. When it leaves `lost`, the service clears its `lost_reason`.
         */
        patch: operations["updateLead"];
        trace?: never;
    };
    "/leads/{id}/convert": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the lead.
                 * @example lead_01m7w4n5e0e3tajy9kep34bze2
                 */
                id: components["parameters"]["LeadId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Convert a lead to a contact
         * @description Links the lead to the contact in `contact_id`. Without `contact_id`, it is the contact with the lead's email
         *     address. If there is no such contact, the service creates one with the lead's name, email, phone, company and
         *     tags. It also copies the assigned user if that user is still active. An existing contact does not change.
         *     Concurrent requests create only one contact.
         *
         *     If the lead is already converted, the answer is 200 and nothing changes, regardless of the `status` that you
         *     send. A different `contact_id` is a 422 with the code `already_converted`. A `lost` lead is a 422 with the code
         *     `lead_lost`, converted or not. You can still edit a converted lead. If its contact is deleted, you can convert
         *     it again.
         *
         *     `If-Match` and `ETag` belong to the lead, and `Location` to the contact.
         */
        post: operations["convertLead"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/leads/{id}/status-changes": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the lead.
                 * @example lead_01m7w4n5e0e3tajy9kep34bze2
                 */
                id: components["parameters"]["LeadId"];
            };
            cookie?: never;
        };
        /**
         * List a lead's status changes
         * @description Returns every status that the lead has had, the newest first: when it changed, from what to what, who changed
         *     it, and how long the lead was in the previous status. Unlike events, which are kept for 90 days, status changes
         *     are kept for as long as the lead exists.
         */
        get: operations["listLeadStatusChanges"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/leads/{id}/events": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the lead.
                 * @example lead_01m7w4n5e0e3tajy9kep34bze2
                 */
                id: components["parameters"]["LeadId"];
            };
            cookie?: never;
        };
        /**
         * List a lead's history
         * @description Returns the events of the lead and of its notes from the last 90 days, the newest first. They have the same form
         *     as in `GET /events`. A page ends at 4 MiB, so it may have fewer events than `per_page`. Continue with
         *     `next_cursor` or `Link`.
         *
         *     For a deleted lead, the answer is 404. `GET /events?resource_id=` still has its events.
         */
        get: operations["listLeadEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/contacts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List contacts
         * @description Returns a page of contacts. The newest contact comes first unless you send `sort`. Equal values are sorted by
         *     id. A contact must match all filters. A filter with several values matches any of them: separate the values with
         *     commas, or repeat the parameter.
         *
         *     `search` looks in the name, email and company. It also finds a phone number by its last digits, at least seven. A
         *     request with `search` counts in the rate-limit class `search` instead of `read`. To get the leads of a contact, use `GET /leads?contact_id=`.
         */
        get: operations["listContacts"];
        put?: never;
        /**
         * Create a contact
         * @description Creates a contact and returns it with all fields.
         *
         *     The email address is optional. Each email address, ignoring case, can belong to only one contact. A second
         *     contact with the address is a 422 with the code `duplicate_email`, and `existing_id` names the first one if your
         *     scopes let you read contacts. An `external_id` that another contact has is a 422 with the code
         *     `duplicate_external_id`. An unknown or inactive user is a 422 too.
         */
        post: operations["createContact"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/contacts/batch/create": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create many contacts
         * @description Creates up to 1,000 contacts. Each item has the fields of `POST /contacts`, and the same rules apply. If two items
         *     have the same email, the first wins.
         *
         *     The answer has a result for each item, in the same order. An invalid item doesn't affect the others: its status
         *     is `failed`, and its `errors` are those of a request with this item alone. With `atomic: true`, one invalid item
         *     fails the whole batch: nothing is created, and the answer is a 422 whose `errors` name fields as in
         *     `items.17.email`.
         *
         *     A batch has at most 1,000 items and 8 MiB. It counts as one request in the rate-limit class `batch`.
         */
        post: operations["batchCreateContacts"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/contacts/batch/upsert": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create or update many contacts
         * @description Updates each contact that exists, and creates the others. `match` names the field that identifies a contact: `email`,
         *     ignoring case, or `external_id`. Each item must have that field.
         *
         *     Fields that you leave out stay as they are, or get their defaults in a new contact. Null clears a field. `metadata`
         *     is merged, key by key. The items of a batch are applied one after another, so a later item with the same email
         *     or external id updates the result of an earlier one. At most 100 items can be about the same contact.
         *
         *     The answer has a result for each item, in the same order: `created`, `updated`, `unchanged` or `failed`. With
         *     `atomic: true`, one invalid item fails the whole batch: nothing is written, and the answer is a 422 whose
         *     `errors` name fields as in `items.17.email`.
         *
         *     A batch has at most 1,000 items and 8 MiB. It counts as one request in the rate-limit class `batch`.
         */
        post: operations["batchUpsertContacts"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/contacts/batch/update": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Update many contacts
         * @description Updates contacts. Each item has the `id` of a contact and a `patch` with the fields of `PATCH /contacts/{id}`. If an item
         *     has a `version` and the contact has another one, the item fails with the code `version_mismatch`. At most 100 items
         *     can change the same contact. They are applied one after another.
         *
         *     The answer has a result for each item, in the same order: `updated`, `unchanged` or `failed`. With `atomic:
         *     true`, one invalid item fails the whole batch: nothing is changed, and the answer is a 422 whose `errors` name
         *     fields as in `items.17.patch.email`.
         *
         *     A batch has at most 1,000 items and 8 MiB. It counts as one request in the rate-limit class `batch`.
         */
        post: operations["batchUpdateContacts"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/contacts/batch/delete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Delete many contacts
         * @description Deletes contacts permanently, with their notes. Their leads remain, without a contact. Their events remain, but
         *     the service erases personal data from them.
         *
         *     The answer has a result for each id, in the same order: `deleted` or `not_found`. With `atomic: true`, an
         *     unknown id fails the whole batch: nothing is deleted, and the answer is a 422 whose `errors` name the id as in
         *     `ids.17`.
         *
         *     A batch has at most 1,000 items and 8 MiB. It counts as one request in the rate-limit class `batch`.
         */
        post: operations["batchDeleteContacts"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/contacts/batch/read": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Read many contacts
         * @description Returns up to 1,000 contacts by their `ids`, `emails` (ignoring case) or `external_ids`. Send exactly one of these.
         *     The answer has a result for each value, in the same order: `found` with the contact, or `not_found`. The request
         *     writes nothing.
         *
         *     After the first 4 MiB, results contain only the `id`. Read those contacts in another request.
         *
         *     A batch has at most 1,000 items and 8 MiB. It counts as one request in the rate-limit class `batch`.
         */
        post: operations["batchReadContacts"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/contacts/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export contacts
         * @description Returns all contacts that match the filters, in one file. The filters, `search`, `sort` and the order are those
         *     of `GET /contacts`. The file is a consistent snapshot: changes made during the export are not included.
         *
         *     `Accept` chooses the format:
         *
         *     - `text/csv`, the default: a header line, then a line for each contact (RFC 4180, in UTF-8). An empty cell means
         *       null. `tags` and `metadata` are JSON.
         *     - `application/x-ndjson`: a JSON object on each line, with the same fields as in `GET /contacts/{id}`.
         *
         *     The file may be large, so write it to disk while you read it. If something goes wrong, the service aborts the
         *     connection: if the transfer ends properly, the file is complete. Your client can run one export at a time, for
         *     up to 30 minutes. A second one waits for 3 seconds, and then gets a 503. Try again after as many seconds as
         *     `Retry-After` says.
         *
         *     An export counts in the rate-limit class `analytics`, or in `search` if it has a `search`.
         */
        get: operations["exportContacts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/contacts/external/{external_id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The contact's id in your own system. Percent-encode it, so that a slash becomes `%2F`. It can't contain control
                 *     characters, such as a line feed.
                 * @example crm-4711
                 */
                external_id: string;
            };
            cookie?: never;
        };
        /**
         * Get a contact by your own id
         * @description Returns the contact that has this `external_id`. If you send `If-None-Match` and the contact has not changed, the
         *     answer is 304 without a body.
         */
        get: operations["getContactByExternalId"];
        /**
         * Create or update a contact by your own id
         * @description Keeps contacts in sync with your own system. You don't need to know whether the contact already exists, and you can
         *     repeat the request.
         *
         *     If a contact has this `external_id`, the service changes the fields that you send, like `PATCH /contacts/{id}`, and
         *     answers 200. Fields that you leave out stay as they are. Null clears a field.
         *
         *     Otherwise, the service creates the contact and answers 201. A new contact needs the fields that `POST /contacts`
         *     requires. With `If-Match`, the service does not create a contact, and answers 412. With `If-None-Match: *`, it
         *     does not change one, and answers 412.
         */
        put: operations["upsertContact"];
        post?: never;
        /**
         * Delete a contact by your own id
         * @description Deletes the contact that has this `external_id` permanently, like `DELETE /contacts/{id}`. If you delete it again, the
         *     answer is 404.
         */
        delete: operations["deleteContactByExternalId"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tags": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the tags in use
         * @description Returns each tag of your leads, contacts or content, and how many of them have it. The most used tag comes first
         *     unless you send `sort`. Use it to offer known tags in a form, or to find misspelled ones.
         *
         *     You need the scope `leads:read`, `contacts:read` or `content:read`, depending on `resource`.
         */
        get: operations["listTags"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/contacts/{id}/notes": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the contact.
                 * @example contact_01m7w4n5e0fymt8j463c8gepsz
                 */
                id: components["parameters"]["ContactId"];
            };
            cookie?: never;
        };
        /**
         * List a contact's notes
         * @description Returns a page of the contact's notes. The newest note comes first unless you send `sort`. Filter by `pinned` to
         *     get the notes to show above the others.
         *
         *     A page ends at 4 MiB, so it may have fewer notes than `per_page`. Continue with `next_cursor` or `Link`.
         *
         *     Notes about the contact's leads stay with the leads. `GET /leads?contact_id=` finds these leads.
         */
        get: operations["listContactNotes"];
        put?: never;
        /**
         * Create a note about a contact
         * @description Records what was said or agreed. The service sets the `author` to the client that sends the request.
         *
         *     The event `note.created` appears in the contact's history. Webhooks that subscribe to it receive it.
         */
        post: operations["createContactNote"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/contacts/{id}/notes/{note_id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the contact.
                 * @example contact_01m7w4n5e0fymt8j463c8gepsz
                 */
                id: components["parameters"]["ContactId"];
                /**
                 * @description The id of the note.
                 * @example note_01m7w4n5e0fnt8s5k2x9c3qrzv
                 */
                note_id: components["parameters"]["NoteIdInPath"];
            };
            cookie?: never;
        };
        /**
         * Get a note about a contact
         * @description Returns a note. If you send `If-None-Match` and the note has not changed, the answer is 304 without a body.
         */
        get: operations["getContactNote"];
        put?: never;
        post?: never;
        /**
         * Delete a note about a contact
         * @description Deletes the note permanently. If you delete it again, the answer is 404. Its earlier events remain, with the
         *     text, until the contact is deleted or 90 days have passed.
         */
        delete: operations["deleteContactNote"];
        options?: never;
        head?: never;
        /**
         * Update a note about a contact
         * @description Changes the fields that you send (JSON Merge Patch, RFC 7396). Fields that you leave out stay as they are. If
         *     nothing changes, the answer is 200 with the same version. The `author` remains the client that created the note.
         */
        patch: operations["updateContactNote"];
        trace?: never;
    };
    "/contacts/{id}/events": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the contact.
                 * @example contact_01m7w4n5e0fymt8j463c8gepsz
                 */
                id: components["parameters"]["ContactId"];
            };
            cookie?: never;
        };
        /**
         * List a contact's history
         * @description Returns the events of the contact and of its notes from the last 90 days, the newest first. They have the same form
         *     as in `GET /events`. A page ends at 4 MiB, so it may have fewer events than `per_page`. Continue with
         *     `next_cursor` or `Link`.
         *
         *     For a deleted contact, the answer is 404. `GET /events?resource_id=` still has its events.
         */
        get: operations["listContactEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/contacts/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the contact.
                 * @example contact_01m7w4n5e0fymt8j463c8gepsz
                 */
                id: components["parameters"]["ContactId"];
            };
            cookie?: never;
        };
        /**
         * Get a contact
         * @description Returns a contact. If you send `If-None-Match` and the contact has not changed, the answer is 304 without a body.
         */
        get: operations["getContact"];
        put?: never;
        post?: never;
        /**
         * Delete a contact
         * @description Deletes the contact permanently, with its notes. Its leads remain, and their `contact_id` becomes null. If you
         *     delete it again, the answer is 404. The events of the contact and of its notes remain, but the service erases
         *     personal data and the text of notes from them. It does the same in stored answers to an `Idempotency-Key`.
         */
        delete: operations["deleteContact"];
        options?: never;
        head?: never;
        /**
         * Update a contact
         * @description Changes the fields that you send (JSON Merge Patch, RFC 7396). Fields that you leave out stay as they are. Null
         *     clears a field. If nothing changes, the answer is 200 with the same version. The contact's leads don't change.
         */
        patch: operations["updateContact"];
        trace?: never;
    };
    "/content": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List content
         * @description Returns a page of content. The newest content comes first unless you send `sort`. Equal values are sorted by id.
         *     Content must match all filters. A filter with several values matches any of them: separate the values with
         *     commas, or repeat the parameter.
         *
         *     `search` looks in the title, slug and summary. A request with `search` counts in the rate-limit class `search`
         *     instead of `read`. Lists have `body_sha256` instead of `body`. To get the `body`, use `GET /content/{id}`. To
         *     get the leads that a piece of content brought, use `GET /leads?content_id=`.
         */
        get: operations["listContent"];
        put?: never;
        /**
         * Create content
         * @description Creates a draft and returns it with all fields. To publish it, use `POST /content/{id}/publish`.
         *
         *     If you leave out `slug`, the service derives one from the title, such as `seven-ways`, or `seven-ways-2` if that
         *     is taken. A title without usable characters gives `content`. If you send a `slug` that is taken, the answer is a
         *     422 with the code `duplicate_slug`. `existing_id` names the content that has it, if your scopes let you read
         *     content. An unknown or inactive author is a 422 too.
         */
        post: operations["createContent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/content/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the content.
                 * @example content_01m7w4n5e0fj29y8hnfp12qb0m
                 */
                id: components["parameters"]["ContentId"];
            };
            cookie?: never;
        };
        /**
         * Get content
         * @description Returns a piece of content with its `body`. If you send `If-None-Match` and the content has not changed, the
         *     answer is 304 without a body.
         */
        get: operations["getContent"];
        put?: never;
        post?: never;
        /**
         * Delete content
         * @description Deletes the content permanently. If you delete it again, the answer is 404. If the content has leads or inbound
         *     hooks, the answer is a 422 with the code `content_in_use`. You can only archive such content.
         */
        delete: operations["deleteContent"];
        options?: never;
        head?: never;
        /**
         * Update content
         * @description Changes the fields that you send (JSON Merge Patch, RFC 7396). Fields that you leave out stay as they are. Null
         *     clears a field. If nothing changes, the answer is 200 with the same version.
         *
         *     You can change content in any status. To change its status, use `/publish`, `/unpublish` or `/archive`. A new
         *     title does not change the slug.
         */
        patch: operations["updateContent"];
        trace?: never;
    };
    "/content/{id}/events": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the content.
                 * @example content_01m7w4n5e0fj29y8hnfp12qb0m
                 */
                id: components["parameters"]["ContentId"];
            };
            cookie?: never;
        };
        /**
         * List the history of content
         * @description Returns the events of the content from the last 90 days, the newest first. They have the same form as in `GET
         *     /events`. A page ends at 4 MiB, so it may have fewer events than `per_page`. Continue with `next_cursor` or
         *     `Link`.
         *
         *     For deleted content, the answer is 404. `GET /events?resource_id=` still has its events.
         */
        get: operations["listContentEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/content/{id}/publish": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the content.
                 * @example content_01m7w4n5e0fj29y8hnfp12qb0m
                 */
                id: components["parameters"]["ContentId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Publish content
         * @description Publishes a draft or archived content: `status` becomes `published`, `published_at` becomes the current time,
         *     and `archived_at` becomes null. If the content is already published, the answer is 200 with the same version.
         */
        post: operations["publishContent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/content/{id}/unpublish": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the content.
                 * @example content_01m7w4n5e0fj29y8hnfp12qb0m
                 */
                id: components["parameters"]["ContentId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Unpublish content
         * @description Turns published or archived content into a draft: `status` becomes `draft`, and `published_at` and `archived_at`
         *     become null. If the content is already a draft, the answer is 200 with the same version.
         */
        post: operations["unpublishContent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/content/{id}/archive": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the content.
                 * @example content_01m7w4n5e0fj29y8hnfp12qb0m
                 */
                id: components["parameters"]["ContentId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Archive content
         * @description Archives a draft or published content: `status` becomes `archived`, `archived_at` becomes the current time, and
         *     `published_at` stays as it is. Leads keep their `content_id`. If the content is already archived, the answer is
         *     200 with the same version.
         */
        post: operations["archiveContent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List users
         * @description Returns a page of users. The newest user comes first unless you send `sort`. Equal values are sorted by id. A
         *     user must match all filters. `search` looks in the name and email. A request with `search` counts in the
         *     rate-limit class `search` instead of `read`.
         */
        get: operations["listUsers"];
        put?: never;
        /**
         * Create a user
         * @description Creates a user and returns it with all fields. Each email address, ignoring case, can belong to only one user. A
         *     second user with the address is a 422 with the code `duplicate_email`, and `existing_id` names the first one if
         *     your scopes let you read users. An `external_id` that another user has is a 422 with the code
         *     `duplicate_external_id`.
         */
        post: operations["createUser"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/users/external/{external_id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The user's id in your own system, such as your directory of employees. Percent-encode it, so that a slash
                 *     becomes `%2F`. It can't contain control characters, such as a line feed.
                 * @example hr-1906
                 */
                external_id: string;
            };
            cookie?: never;
        };
        /**
         * Get a user by your own id
         * @description Returns the user who has this `external_id`. If you send `If-None-Match` and the user has not changed, the
         *     answer is 304 without a body.
         */
        get: operations["getUserByExternalId"];
        /**
         * Create or update a user by your own id
         * @description Keeps users in sync with your directory. You don't need to know whether the user already exists, and you can
         *     repeat the request.
         *
         *     If a user has this `external_id`, the service changes the fields that you send, like `PATCH /users/{id}`, and
         *     answers 200. Fields that you leave out stay as they are.
         *
         *     Otherwise, the service creates the user and answers 201. A new user needs the fields that `POST /users`
         *     requires. With `If-Match`, the service does not create a user, and answers 412. With `If-None-Match: *`, it
         *     does not change one, and answers 412.
         */
        put: operations["upsertUser"];
        post?: never;
        /**
         * Delete a user by your own id
         * @description Deletes the user who has this `external_id` permanently, like `DELETE /users/{id}`. If you delete it again, the
         *     answer is 404.
         */
        delete: operations["deleteUserByExternalId"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/users/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the user.
                 * @example user_01m7w4n5e0eymtkc82hvhg0xb9
                 */
                id: components["parameters"]["UserId"];
            };
            cookie?: never;
        };
        /**
         * Get a user
         * @description Returns a user. If you send `If-None-Match` and the user has not changed, the answer is 304 without a body.
         */
        get: operations["getUser"];
        put?: never;
        post?: never;
        /**
         * Delete a user
         * @description Deletes the user permanently. If you delete it again, the answer is 404. If the user has assigned leads,
         *     contacts, content or inbound hooks, the answer is a 422 with the code `user_in_use`. You can only deactivate
         *     such a user. The user's events remain, but the service erases the name and the email from them, and from stored
         *     answers to an `Idempotency-Key`.
         */
        delete: operations["deleteUser"];
        options?: never;
        head?: never;
        /**
         * Update a user
         * @description Changes the fields that you send (JSON Merge Patch, RFC 7396). Fields that you leave out stay as they are. If
         *     nothing changes, the answer is 200 with the same version.
         *
         *     To deactivate a user, set `active` to `false`. An inactive user keeps existing assignments, but you can't assign
         *     anything new to them.
         */
        patch: operations["updateUser"];
        trace?: never;
    };
    "/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List events
         * @description Returns the changes of leads, contacts, content and users in the order in which they were recorded, the oldest
         *     first. Events are kept for 90 days.
         *
         *     To follow the log, send the `meta.next_cursor` of each answer as `after`. While `has_more` is true, ask again
         *     immediately. Otherwise, ask again later with the same cursor, or wait for the next event with `wait=30`. The log
         *     never skips an event, even if its transaction took long to commit.
         *
         *     Save the cursor only after you have handled the events. If your program crashes, it then reads some events
         *     twice, but misses none. Use each event's `id` to recognise the ones you have handled.
         *
         *     `.created`, `.updated` and `.deleted` are enough to keep a copy of everything. The more specific types come in
         *     addition to `.updated`. When a lead or contact is deleted, its earlier events remain without personal data.
         */
        get: operations["listEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/events/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the event.
                 * @example event_01m7w4n5e0e5w9fsgdq3y8x2rc
                 */
                id: components["parameters"]["EventIdInPath"];
            };
            cookie?: never;
        };
        /**
         * Get an event
         * @description Returns an event, with the same body that webhooks receive. An event never changes, with one exception: when its
         *     lead, contact or user is deleted, the service erases personal data from it.
         */
        get: operations["getEvent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/event-types": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List event types
         * @description Returns each event type with its meaning and an example. New types may be added, so ignore types that you don't
         *     know.
         */
        get: operations["listEventTypes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List webhooks
         * @description Returns a page of webhooks, without their secrets. The newest webhook comes first unless you send `sort`. Equal
         *     values are sorted by id. A webhook must match all filters.
         */
        get: operations["listWebhooks"];
        put?: never;
        /**
         * Create a webhook
         * @description Subscribes your URL to events. The answer has the `secret` that signs the requests. Keep it: the service does
         *     not show it again.
         *
         *     **Verify each request** before you trust it. The requests follow [Standard
         *     Webhooks](https://www.standardwebhooks.com), so any of their libraries can verify them: give it the body exactly
         *     as received, the headers and the `secret`. Without one, follow these steps:
         *
         *     1. Decode the `secret` after `whsec_` from base64. That is the key.
         *     2. Compute the HMAC-SHA256 of `webhook-id`, a dot, `webhook-timestamp`, a dot, and the raw body. Encode it in base64.
         *     3. Compare it, in constant time, with each signature in `webhook-signature`, after its `v1,`. One of them must match.
         *     4. Refuse the request if `webhook-timestamp` is more than 5 minutes away from your clock.
         *
         *     Answer 2xx within 15 seconds, or the service tries again (see `retry_schedule`). Events may arrive repeatedly
         *     and out of order: ignore those whose `webhook-id` you have seen.
         */
        post: operations["createWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the webhook.
                 * @example webhook_01m7w4n5e0f7x8k2q4v6n9r3td
                 */
                id: components["parameters"]["WebhookId"];
            };
            cookie?: never;
        };
        /**
         * Get a webhook
         * @description Returns a webhook without its secret. If you send `If-None-Match` and the version has not changed, the answer is
         *     304 without a body. `last_success_at`, `failing_since` and `last_failing_since` change without a new version. To
         *     monitor deliveries, leave out `If-None-Match`.
         */
        get: operations["getWebhook"];
        put?: never;
        post?: never;
        /**
         * Delete a webhook
         * @description Deletes the webhook permanently, with its secret and its deliveries. The service cancels pending deliveries. If
         *     you delete it again, the answer is 404.
         */
        delete: operations["deleteWebhook"];
        options?: never;
        head?: never;
        /**
         * Update a webhook
         * @description Changes the fields that you send (JSON Merge Patch, RFC 7396). Fields that you leave out stay as they are. Null
         *     clears `description`. If nothing changes, the answer is 200 with the same version.
         *
         *     Set `status` to `paused` to pause the webhook. Set it to `enabled` to resume it, or to enable a webhook that the
         *     service has disabled. Pending deliveries wait until you enable the webhook, and are then sent if they are not
         *     older than 30 days. The service does not automatically send events that happened in the meantime. To get them,
         *     use `POST /webhooks/{id}/replay`.
         *
         *     Enabling a webhook or changing its `url` clears `disabled_reason`, and moves `failing_since` to `last_failing_since`.
         */
        patch: operations["updateWebhook"];
        trace?: never;
    };
    "/webhooks/{id}/rotate-secret": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the webhook.
                 * @example webhook_01m7w4n5e0f7x8k2q4v6n9r3td
                 */
                id: components["parameters"]["WebhookId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replace the secret
         * @description Creates a new secret and shows it once. For 24 hours, both secrets sign each request, so that you can change
         *     your receiver without missing events. The signature of the new secret comes first. If you rotate again within
         *     that time, the oldest secret becomes invalid immediately. If you repeat the request with the same
         *     `Idempotency-Key`, you get the same secret.
         */
        post: operations["rotateWebhookSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/{id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the webhook.
                 * @example webhook_01m7w4n5e0f7x8k2q4v6n9r3td
                 */
                id: components["parameters"]["WebhookId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a test event
         * @description Sends a `webhook.test` event to this webhook only, regardless of its `event_types`. This also works while the
         *     webhook is paused. `Location` is the URL of the delivery, which shows the result. If the service has disabled
         *     the webhook, the answer is a 422 with the code `webhook_not_enabled`.
         */
        post: operations["testWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/{id}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the webhook.
                 * @example webhook_01m7w4n5e0f7x8k2q4v6n9r3td
                 */
                id: components["parameters"]["WebhookId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send past events again
         * @description Sends the events of a period again, the oldest first. They keep their ids (`webhook-id`), so your receiver can
         *     ignore those that it already has. You also get events that the webhook never received because it was paused,
         *     disabled or did not exist yet. The service sends the events in the background. Each one appears in the list of
         *     deliveries. An event that waits for a retry is sent now, but only once. If you pause the webhook, the replay
         *     pauses too.
         *
         *     You get only event types that the webhook subscribes to. `event_types` narrows them further. `only_undelivered`
         *     leaves out events that your receiver has accepted. `only_failed` also leaves out events that were never sent.
         *     The service keeps deliveries for 30 days. It keeps events for 90 days, and an earlier `from` is a 422. Only one
         *     replay can run at a time: a second one is a 422 with the code `replay_running`. If the webhook is not enabled,
         *     the answer is a 422 with the code `webhook_not_enabled`.
         */
        post: operations["replayWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/{id}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the webhook.
                 * @example webhook_01m7w4n5e0f7x8k2q4v6n9r3td
                 */
                id: components["parameters"]["WebhookId"];
            };
            cookie?: never;
        };
        /**
         * List deliveries
         * @description Returns a page of this webhook's deliveries from the last 30 days: at most the last 100,000 that succeeded and
         *     the last 10,000 that failed. The newest delivery comes first unless you send `sort`. Equal values are sorted by
         *     id. A delivery must match all filters. To see the attempts, use `GET /webhooks/{id}/deliveries/{delivery_id}`.
         */
        get: operations["listWebhookDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/{id}/deliveries/{delivery_id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the webhook.
                 * @example webhook_01m7w4n5e0f7x8k2q4v6n9r3td
                 */
                id: components["parameters"]["WebhookId"];
                /**
                 * @description The id of the delivery.
                 * @example delivery_01m7w9c4k1e2r8s5t7v3x6y9zb
                 */
                delivery_id: components["parameters"]["WebhookDeliveryId"];
            };
            cookie?: never;
        };
        /**
         * Get a delivery
         * @description Returns a delivery and all its attempts: when each attempt began, how long it took, and what your receiver
         *     answered. To get the event, use `GET /events/{id}`.
         */
        get: operations["getWebhookDelivery"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/{id}/deliveries/{delivery_id}/redeliver": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the webhook.
                 * @example webhook_01m7w4n5e0f7x8k2q4v6n9r3td
                 */
                id: components["parameters"]["WebhookId"];
                /**
                 * @description The id of the delivery.
                 * @example delivery_01m7w9c4k1e2r8s5t7v3x6y9zb
                 */
                delivery_id: components["parameters"]["WebhookDeliveryId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send an event again
         * @description Sends the event of this delivery again immediately, with the same id (`webhook-id`). This creates a new
         *     delivery, whose URL is in `Location`. The old one stays as it is. If the webhook is not enabled, the answer is a
         *     422 with the code `webhook_not_enabled`.
         */
        post: operations["redeliverWebhookDelivery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/inbound-hooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List inbound hooks
         * @description Returns a page of inbound hooks. The newest hook comes first unless you send `sort`. Equal values are sorted by
         *     id. A hook must match all filters. `search` looks in the name. A request with `search` counts in the rate-limit
         *     class `search` instead of `read`.
         */
        get: operations["listInboundHooks"];
        put?: never;
        /**
         * Create an inbound hook
         * @description Creates a URL that turns another system's data into leads. The other system, such as a website form or an ads
         *     platform, sends its data there and needs no token. Only this answer shows the `url`. Anyone who knows it can
         *     send leads, so protect it like a password. To change it, use `POST /inbound-hooks/{id}/rotate-url`.
         *
         *     `mapping` says where to find each field of a lead. Test it with `POST /inbound-hooks/{id}/preview`. A lead needs
         *     a name and an email. Other fields that don't fit are left out, with `warnings` in the delivery and a note about
         *     the lead. With `verification`, the hook accepts only data that is signed or comes with a shared secret.
         *
         *     Each environment can have 100 inbound hooks. Another one is a 422 with the code `inbound_hook_limit_reached`.
         */
        post: operations["createInboundHook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/inbound-hooks/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the inbound hook.
                 * @example hook_01m7w4n5e0fwbtrs2p7d9k4x6v
                 */
                id: components["parameters"]["InboundHookId"];
            };
            cookie?: never;
        };
        /**
         * Get an inbound hook
         * @description Returns a hook, without its `url` and its secret. If you send `If-None-Match` and the hook has not changed, the
         *     answer is 304 without a body.
         */
        get: operations["getInboundHook"];
        put?: never;
        post?: never;
        /**
         * Delete an inbound hook
         * @description Deletes the hook permanently. From then on, its URL answers 404. Leads that came through the hook remain. If you
         *     delete it again, the answer is 404.
         */
        delete: operations["deleteInboundHook"];
        options?: never;
        head?: never;
        /**
         * Update an inbound hook
         * @description Changes the fields that you send (JSON Merge Patch, RFC 7396). Fields that you leave out stay as they are. Null
         *     clears a field. The same applies to the fields inside `mapping` and `verification`. If nothing changes, the
         *     answer is 200 with the same version.
         *
         *     The secret remains until you send another one or change the type of verification. Null as `verification` means
         *     `none`. Senders to a `paused` hook get a 404.
         */
        patch: operations["updateInboundHook"];
        trace?: never;
    };
    "/inbound-hooks/{id}/rotate-url": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the inbound hook.
                 * @example hook_01m7w4n5e0fwbtrs2p7d9k4x6v
                 */
                id: components["parameters"]["InboundHookId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Change the URL of an inbound hook
         * @description Creates a new `url`. Only this answer shows it. The old URL immediately answers 404.
         */
        post: operations["rotateInboundHookUrl"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/inbound-hooks/{id}/preview": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the inbound hook.
                 * @example hook_01m7w4n5e0fwbtrs2p7d9k4x6v
                 */
                id: components["parameters"]["InboundHookId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Preview an inbound hook
         * @description Shows what would happen if the payload were sent to the hook: which lead and note the mapping produces, whether
         *     that lead would be created, merged, ignored, rejected or skipped, and why, and what would be left out of it, as
         *     `warnings`. The request writes nothing, so you can repeat it
         *     without an `Idempotency-Key`. Answers are not stored.
         */
        post: operations["previewInboundHook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/hooks/{token}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The last part of the hook's `url`.
                 * @example lph_live_2vXhQ0bJ8mTn4kRz7yWc1sLd6gPf9aUe3iOoBxVqKtM
                 */
                token: components["parameters"]["HookToken"];
            };
            cookie?: never;
        };
        /**
         * Answer the challenge of a sender
         * @description Some systems check a URL before they send data to it.
         *
         *     Meta sends `hub.challenge`. If `hub.verify_token` is the `verify_token` of the hook's `verification`, the answer
         *     is the challenge as plain text.
         *
         *     LinkedIn sends `challengeCode`. The answer has its HMAC-SHA256 with the secret of the hook, whose `verification`
         *     must be `hmac_sha256`.
         */
        get: operations["answerHookChallenge"];
        put?: never;
        /**
         * Send data to an inbound hook
         * @description This operation is for the other system. Its URL is the `url` of a hook. It needs no token or API key. The body
         *     is a JSON object of at most 1 MiB, or a form. The fields of a form become the members of an object: a repeated
         *     field becomes a list, and an empty field is left out.
         *
         *     A 202 says what happened. `created`: there is a new lead. `merged` or `ignored`: a lead with this email address
         *     exists. `rejected`: there is no name or no valid email; the hook's owner can correct the mapping and replay the
         *     delivery. `skipped`: the hook doesn't want such data. `duplicate`: the same `webhook-id` header, or without it
         *     the same body, came in the last 24 hours and led to an existing lead. A duplicate has no effect, and its
         *     `delivery_id` is that of the first delivery.
         *
         *     A 401 means that the signature or secret is missing or wrong, a 403 that a page of this origin may not send. An
         *     unknown, paused or deleted hook is a 404. Each hook accepts 300 requests a minute.
         */
        post: operations["receiveInboundDelivery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/inbound-hooks/{id}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the inbound hook.
                 * @example hook_01m7w4n5e0fwbtrs2p7d9k4x6v
                 */
                id: components["parameters"]["InboundHookId"];
            };
            cookie?: never;
        };
        /**
         * List inbound deliveries
         * @description Returns a page of the hook's deliveries in the last 30 days, the newest first. Equal values are sorted by id.
         *     Data that was repeated within 24 hours or failed its verification is left out.
         */
        get: operations["listInboundDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/inbound-hooks/{id}/deliveries/{delivery_id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the inbound hook.
                 * @example hook_01m7w4n5e0fwbtrs2p7d9k4x6v
                 */
                id: components["parameters"]["InboundHookId"];
                /**
                 * @description The id of the delivery.
                 * @example delivery_01m7w4n5e0ea9bcm473x5b9fx3
                 */
                delivery_id: components["parameters"]["InboundDeliveryId"];
            };
            cookie?: never;
        };
        /**
         * Get an inbound delivery
         * @description Returns a delivery with the data that was sent, so that you can correct the mapping. If you send `If-None-Match`
         *     and the delivery has not changed, the answer is 304 without a body.
         */
        get: operations["getInboundDelivery"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/inbound-hooks/{id}/deliveries/{delivery_id}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the inbound hook.
                 * @example hook_01m7w4n5e0fwbtrs2p7d9k4x6v
                 */
                id: components["parameters"]["InboundHookId"];
                /**
                 * @description The id of the delivery.
                 * @example delivery_01m7w4n5e0ea9bcm473x5b9fx3
                 */
                delivery_id: components["parameters"]["InboundDeliveryId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Process an inbound delivery again
         * @description Processes the delivery's data again with the hook's current settings. Use it after you have corrected the
         *     mapping. The delivery takes the `status` of this attempt. If the delivery made a lead before, that lead already
         *     exists, so `on_duplicate` decides. The note that the delivery made is changed; there is no second one, and no
         *     event `lead.enquired`.
         *
         *     The data may have been erased together with personal data, or deleted to free space. In that case, the answer is
         *     a 422 with the code `payload_erased`.
         */
        post: operations["replayInboundDelivery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/analytics/summary": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the summary
         * @description Returns the key figures of the leads created in the period: their number, their current status, the share that
         *     was won, and the median times to the first contact and to the close. `previous` has the same figures for the
         *     same number of days before the period.
         *
         *     The first contact is the time when a lead first entered `contacted` or a later status. The close is the time
         *     when a lead that is currently won or lost entered that status.
         */
        get: operations["getAnalyticsSummary"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/analytics/funnel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the funnel
         * @description Returns how far the leads created in the period progressed. `reached` counts the leads that ever entered a
         *     status or a later one, like the filter `reached` of `GET /leads`. `median_seconds_from_previous` is the time
         *     between first entering the previous status and first entering this one. For `new`, the time starts when the lead
         *     is created. `lost` and `open` count the leads by their current status.
         */
        get: operations["getAnalyticsFunnel"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/analytics/sources": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Compare the sources
         * @description Returns the figures of the leads created in the period, for each source. `reached_contacted` and
         *     `reached_qualified` count the leads that ever entered that status or a later one. `won`, `lost`, `open` and
         *     `value` count them by their current status.
         *     With the filter `source`, the report has only those sources.
         */
        get: operations["getAnalyticsSources"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/analytics/timeseries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a time series
         * @description Returns the changes in each day, week (from Monday) or month. The first and last periods may be partial.
         *     `created` counts new leads. `first_contacted`, `first_qualified` and `first_won` count each lead once, when it
         *     first entered that status or a later one. `first_lost` counts a lead when it was first lost.
         *
         *     `value` is money: what was won in the period and still is, and what was created in it and is open. With
         *     `interval=month` and `group_by=assigned_user` or `source`, this is the revenue by month, currency and
         *     salesperson or source. A lead that was won twice counts when it was won last.
         *
         *     With `group_by`, there is a row for each period and group. Groups and filters use the current values of each
         *     lead. A report of more than 4 MiB, about 10,000 rows, is a 422.
         */
        get: operations["getAnalyticsTimeseries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/analytics/time-in-status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the time in each status
         * @description Returns for each status how often leads entered and left it in the period, how many leads currently have it, and
         *     how long leads stayed in it before they left.
         */
        get: operations["getAnalyticsTimeInStatus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/analytics/pipeline": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the pipeline in money
         * @description Returns the number of leads and their total value, for each status and currency. `new`, `contacted` and
         *     `qualified` count the leads that currently have this status, regardless of the period. `won` and `lost` count
         *     the leads that currently have this status and entered it in the period.
         *
         *     Each status has a row for every currency of the counted leads, and a row for leads without a value, whose
         *     `currency` is null. Sums are exact. Currencies are never converted.
         *
         *     `search` finds the same leads as in `GET /leads`, so the report is about exactly those that a list shows.
         */
        get: operations["getAnalyticsPipeline"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/analytics/forecast": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the forecast
         * @description Returns the value of the leads in the pipeline, by the month of `expected_close_on` and by currency. It counts
         *     the leads that are currently `new`, `contacted` or `qualified` and have a `value`.
         *
         *     `weighted_value` is that value multiplied by the chance to win. The chance of a status is its `win_rate`: the
         *     share that was won among the leads that are currently won or lost, entered that status in the last 365 days
         *     (including today), and ever entered the row's status or a later one, like the filter `reached` of `GET /leads`.
         *     The weighted value is computed with the exact shares and rounded once, to the decimals of the currency. A half
         *     is rounded up.
         *
         *     Each currency has a row for each of the next `months`, the current month first. Three more rows make the report
         *     complete: `overdue` for all past months, `later` for all months after the listed ones, and `none` for leads
         *     without `expected_close_on`. Currencies are never converted.
         */
        get: operations["getAnalyticsForecast"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/analytics/content": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Compare content
         * @description Returns the figures of the leads created in the period, for the content that brought them. Content with the most
         *     leads comes first. Content has a row if it has such leads or is published, up to 1,000 rows and 4 MiB.
         *     `meta.omitted` counts the rows that did not fit. `reached_qualified` counts the leads that ever entered that
         *     status or a later one. `won`, `lost` and `value` count them by their current status.
         */
        get: operations["getAnalyticsContent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/analytics/users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Compare users
         * @description Returns the figures of the leads created in the period, for the user to whom they are currently assigned. The
         *     user with the most leads comes first. A user has a row if they have such leads or are active, up to 1,000 rows
         *     and 4 MiB. `meta.omitted` counts the rows that did not fit. `reached_contacted` counts the leads that ever
         *     entered that status or a later one. `won`, `lost` and `value` count them by their current status.
         */
        get: operations["getAnalyticsUsers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/imports": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List imports
         * @description Returns a page of the imports of the last 90 days. You see imports of leads if you may read leads, imports of
         *     contacts if you may read contacts, and so on. To see imports of notes, you need to read leads and contacts. The
         *     newest import comes first unless you send `sort`. An import must match all filters.
         *
         *     You need the scope `leads:read`, `contacts:read`, `users:read` or `content:read`.
         */
        get: operations["listImports"];
        put?: never;
        /**
         * Create an import
         * @description Imports leads, contacts, users, content or notes from a file. Send the file as the body, with the options as
         *     parameters. Or send the options as `application/json`, with `values` too: the answer is a draft that waits for
         *     `PUT /imports/{id}/file`.
         *
         *     The 202 shows how the columns are mapped, and which are unused. With `doubts`, the import stays a draft unless
         *     you send `start=true`. Rows are imported by the rules of single requests. A wrong row fails alone. If no row can
         *     be read, the answer is a 422 `invalid_file`.
         *
         *     You can take 30 minutes to send the file, and send one at a time; another one waits for 3 seconds.
         *
         *     Repeating an import with `ignore`, `merge` or `update` creates no duplicates.
         *
         *     You need the scope `leads:write`, `contacts:write`, `users:write` or `content:write`, depending on `resource`,
         *     and for notes both `leads:write` and `contacts:write`. Times of the past, such as `created_at`, need `admin`.
         */
        post: operations["createImport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/imports/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the import.
                 * @example import_01m7w4n5e0fpd8q2tn6s3k9vcx
                 */
                id: components["parameters"]["ImportId"];
            };
            cookie?: never;
        };
        /**
         * Get an import
         * @description Returns an import with its progress. If you send `If-None-Match` and the import has not changed, the answer is
         *     304 without a body. Imports are kept for 90 days, but only the last 10,000 of each client.
         *
         *     You need the scope `leads:read`, `contacts:read`, `users:read` or `content:read`, depending on the import's
         *     `resource`. Notes need both `leads:read` and `contacts:read`.
         */
        get: operations["getImport"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/imports/{id}/file": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the import.
                 * @example import_01m7w4n5e0fpd8q2tn6s3k9vcx
                 */
                id: components["parameters"]["ImportId"];
            };
            cookie?: never;
        };
        get?: never;
        /**
         * Send the file of an import
         * @description Sends the file of a draft. It starts the import if the draft's options say so, or if there are no `doubts` and
         *     they don't say anything. A draft or a completed dry run that has a file gets another one: the service maps its
         *     columns again. You can safely repeat the request: if the import has already started with the same file, the
         *     answer shows it as it is. With another file, it is a 422 with the code `wrong_import_status`.
         *
         *     The limits are those of `POST /imports`. The rows are imported in the name of the client that sends them.
         *
         *     You need the scopes of `POST /imports`, depending on the import's `resource`.
         */
        put: operations["putImportFile"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/imports/{id}/errors": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the import.
                 * @example import_01m7w4n5e0fpd8q2tn6s3k9vcx
                 */
                id: components["parameters"]["ImportId"];
            };
            cookie?: never;
        };
        /**
         * List the errors of an import
         * @description Returns the errors of the failed rows, and the warnings about rows that were imported without some of their
         *     values, in the order of the file. `Accept` chooses the format:
         *
         *     - `application/json`, the default: a page of the errors.
         *     - `text/csv` or `application/x-ndjson`: all errors in one file. `page`, `per_page` and `cursor` have no effect.
         *       In CSV, a `'` is put before a value that a spreadsheet could run as a formula.
         *
         *     The service keeps at most 10 errors of a row, and 100,000 errors and 100,000 warnings of an import. They don't
         *     repeat values of the file.
         *
         *     You need the scope `leads:read`, `contacts:read`, `users:read` or `content:read`, depending on the import's
         *     `resource`. Notes need both `leads:read` and `contacts:read`.
         */
        get: operations["listImportErrors"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/imports/{id}/rows": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the import.
                 * @example import_01m7w4n5e0fpd8q2tn6s3k9vcx
                 */
                id: components["parameters"]["ImportId"];
            };
            cookie?: never;
        };
        /**
         * List the rows of an import
         * @description Returns what became of each row that was processed so far, in the order of the file: the outcome, and the id of
         *     the lead or contact. `Accept` chooses the format:
         *
         *     - `application/json`, the default: a page of the rows.
         *     - `text/csv` or `application/x-ndjson`: all rows in one file. `page`, `per_page` and `cursor` have no effect.
         *
         *     The rows are kept as long as the import.
         *
         *     You need the scope `leads:read`, `contacts:read`, `users:read` or `content:read`, depending on the import's
         *     `resource`. Notes need both `leads:read` and `contacts:read`.
         */
        get: operations["listImportRows"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/imports/{id}/rejected-rows": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the import.
                 * @example import_01m7w4n5e0fpd8q2tn6s3k9vcx
                 */
                id: components["parameters"]["ImportId"];
            };
            cookie?: never;
        };
        /**
         * Export the rejected rows of an import
         * @description Returns the failed rows in one file, with their original cells and a column `error` that says what is wrong.
         *     Correct the cells and send the file to `POST /imports`: the column `error` is ignored. `Accept` chooses the
         *     format:
         *
         *     - `text/csv`, the default: a header line, then a line for each row (RFC 4180, in UTF-8). A `'` is put before a
         *       value that a spreadsheet could run as a formula. An import removes it again.
         *     - `application/x-ndjson`: a JSON object on each line.
         *
         *     The service keeps the cells for 7 days, and of at most 100,000 rows of an import. They count as stored rows of
         *     your client, and it deletes them earlier if you need the space for another import. It also deletes those of a
         *     person who was erased.
         *
         *     You need the scope `leads:read`, `contacts:read`, `users:read` or `content:read`, depending on the import's
         *     `resource`. Notes need both `leads:read` and `contacts:read`.
         */
        get: operations["exportRejectedRows"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/imports/{id}/start": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the import.
                 * @example import_01m7w4n5e0fpd8q2tn6s3k9vcx
                 */
                id: components["parameters"]["ImportId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Start an import
         * @description Starts a draft or a completed dry run, without sending the file again. You can also change the options of an
         *     import that is still `queued`. Fields that you leave out stay as they are, except `dry_run`: it is false unless
         *     you send it. In any other status, the answer is a 422 with the code `wrong_import_status`.
         *
         *     The service keeps the rows of a draft or a dry run for 7 days.
         *
         *     You need the scopes of `POST /imports`, depending on the import's `resource`.
         */
        post: operations["startImport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/imports/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the import.
                 * @example import_01m7w4n5e0fpd8q2tn6s3k9vcx
                 */
                id: components["parameters"]["ImportId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel an import
         * @description Stops an import, or deletes the rows of a draft or of a completed dry run. Rows that are already imported
         *     remain. If you cancel it again, the answer is also 200. You can't cancel any other import that has completed or
         *     failed: the answer is a 422 with the code `wrong_import_status`.
         *
         *     You need the scopes of `POST /imports`, depending on the import's `resource`.
         */
        post: operations["cancelImport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/clients": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List API clients
         * @description Returns a page of API clients, without their secrets. The newest client comes first unless you send `sort`.
         *     Equal values are sorted by id. A client must match all filters.
         */
        get: operations["listClients"];
        put?: never;
        /**
         * Create an API client
         * @description Creates a client: a program that can get tokens. The answer has its `client_secret`. Keep it: the service stores
         *     only its SHA-256 and does not show it again. To get the same answer again, repeat the request with the same
         *     `Idempotency-Key` within 24 hours. The service stores the answer encrypted for that time.
         *
         *     A client can have any scopes, even ones that you don't have. Give the scope `admin` only to a client that
         *     administers others, because it can create clients with every scope.
         */
        post: operations["createClient"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/clients/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the client.
                 * @example client_01m7w4n5e0e0vbbhcpvg4zwf73
                 */
                id: components["parameters"]["ClientId"];
            };
            cookie?: never;
        };
        /**
         * Get an API client
         * @description Returns a client without its secret. If you send `If-None-Match` and the client has not changed, the answer is 304
         *     without a body.
         */
        get: operations["getClient"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Update an API client
         * @description Changes the fields that you send (JSON Merge Patch, RFC 7396). Fields that you leave out stay as they are. Null
         *     as `user_id` means that the client acts for nobody. If nothing changes, the answer is 200 with the same version.
         */
        patch: operations["updateClient"];
        trace?: never;
    };
    "/clients/{id}/rotate-secret": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the client.
                 * @example client_01m7w4n5e0e0vbbhcpvg4zwf73
                 */
                id: components["parameters"]["ClientId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replace the secret of a client
         * @description Creates a new `client_secret` and shows it once. The old one stops working immediately. The client's tokens
         *     remain valid until they expire, and its API keys are not affected. A disabled client can get a new secret too.
         *     If you repeat the request with the same `Idempotency-Key`, you get the same secret.
         */
        post: operations["rotateClientSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/clients/{id}/disable": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the client.
                 * @example client_01m7w4n5e0e0vbbhcpvg4zwf73
                 */
                id: components["parameters"]["ClientId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Disable a client
         * @description Within a second, every process of the service rejects the client's secret, tokens and API keys. If the client is
         *     already disabled, nothing changes.
         *
         *     The last enabled client with the scope `admin` can't be disabled: that is a 409 with the code `last_admin`. The
         *     operator can always disable it at the command line.
         */
        post: operations["disableClient"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/clients/{id}/enable": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the client.
                 * @example client_01m7w4n5e0e0vbbhcpvg4zwf73
                 */
                id: components["parameters"]["ClientId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Enable a client
         * @description Enables a disabled client. Its secret works again. So do its tokens and API keys, unless they have expired or
         *     were revoked. If somebody else may know them, rotate the secret and revoke the keys first, and wait an hour
         *     until the last token has expired. If the client is already enabled, nothing changes.
         */
        post: operations["enableClient"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/clients/{id}/keys": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the client.
                 * @example client_01m7w4n5e0e0vbbhcpvg4zwf73
                 */
                id: components["parameters"]["ClientId"];
            };
            cookie?: never;
        };
        /**
         * List the API keys of a client
         * @description Returns a page of the client's API keys, including expired and revoked ones, without the keys themselves. The
         *     newest comes first unless you send `sort`. Equal values are sorted by id. An API key must match all filters.
         */
        get: operations["listApiKeys"];
        put?: never;
        /**
         * Create an API key
         * @description Creates an API key for a system that can't get tokens. The answer has the key in `api_key`. Keep it: the service
         *     stores only its SHA-256 and does not show it again. To get the same answer again, repeat the request with the
         *     same `Idempotency-Key` within 24 hours. The service stores the answer encrypted for that time.
         *
         *     A key has all scopes of its client, or only those that you name. A scope that the client doesn't have is a 422
         *     with the code `invalid_scope`. A disabled client can't get a key: the answer is a 422 too.
         */
        post: operations["createApiKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/clients/{id}/keys/{key_id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the client.
                 * @example client_01m7w4n5e0e0vbbhcpvg4zwf73
                 */
                id: components["parameters"]["ClientId"];
                /**
                 * @description The id of the API key. It is not the key itself.
                 * @example key_01m7w4n5e0ebj8t9xkcpqz3w5d
                 */
                key_id: components["parameters"]["ApiKeyId"];
            };
            cookie?: never;
        };
        /**
         * Get an API key
         * @description Returns the properties of an API key, without the key itself. If you send `If-None-Match` and it has not
         *     changed, the answer is 304 without a body.
         */
        get: operations["getApiKey"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/clients/{id}/keys/{key_id}/revoke": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the client.
                 * @example client_01m7w4n5e0e0vbbhcpvg4zwf73
                 */
                id: components["parameters"]["ClientId"];
                /**
                 * @description The id of the API key. It is not the key itself.
                 * @example key_01m7w4n5e0ebj8t9xkcpqz3w5d
                 */
                key_id: components["parameters"]["ApiKeyId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Revoke an API key
         * @description Permanently revokes an API key. Within a second, every process of the service rejects it. If the key is already
         *     revoked, nothing changes.
         */
        post: operations["revokeApiKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/audit-log": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the audit log
         * @description Returns who created, rotated, disabled, enabled or revoked which client or API key, and when. Each entry is
         *     written in the transaction of its change. The log includes the operator's commands. The newest entry comes first
         *     unless you send `sort`. An entry must match all filters. Entries are kept for 365 days and can't be changed.
         */
        get: operations["listAuditLog"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sandbox/reset": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Delete the sandbox data
         * @description Permanently deletes all users, contacts, content and leads with their history and events, and the deliveries
         *     that inbound hooks have received. API clients, keys, tokens, webhooks, inbound hooks and stored answers to an
         *     `Idempotency-Key` remain. Sandbox only: in production, the answer is 404.
         */
        post: operations["resetSandbox"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sandbox/seed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Fill the sandbox with sample data
         * @description Adds users, contacts, content and leads. The leads' histories cover the last 90 days. The same `seed` with the
         *     same number of `leads` always gives the same data, except for the ids and the dates, which are relative to
         *     today. `Location` is the list of leads. The log contains the events of these histories, but webhooks don't
         *     receive them.
         *
         *     You can use each `seed` once. To use it again, reset the sandbox first. Otherwise, the answer is a 422 with the
         *     code `already_seeded`. Sandbox only: in production, the answer is 404.
         */
        post: operations["seedSandbox"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface webhooks {
    "lead.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A lead was created
         * @description A lead was created by a client or an inbound hook. `changes` is empty.
         */
        post: operations["leadCreated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "lead.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A lead was updated
         * @description A lead was updated. You get this event for every change. More specific events of the same change follow it. When
         *     a contact is deleted, each of its leads is updated too.
         */
        post: operations["leadUpdated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "lead.status_changed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A lead changed its status
         * @description A lead changed its status. `changes` has `status` and `status_changed_at`. It also has `lost_reason`,
         *     `first_contacted_at`, `first_qualified_at`, `first_won_at` and `first_lost_at` if they changed.
         */
        post: operations["leadStatusChanged"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "lead.assigned": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A lead was assigned to another user, or to nobody
         * @description A lead was assigned to another user, or to nobody. `changes` has `assigned_user_id`.
         */
        post: operations["leadAssigned"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "lead.converted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A lead was converted to a contact
         * @description A lead was converted to a contact. `changes` has `contact_id`.
         */
        post: operations["leadConverted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "lead.enquired": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A known person enquired again
         * @description An inbound hook received data of a person who is a lead already. The enquiry overwrote nothing. Its message, and
         *     what it says differently, are a new note: its `note.created` event has the same `request_id`. `object` is the
         *     lead, and `changes` is empty. If the enquiry filled empty fields of the lead, a `lead.updated` event has them.
         */
        post: operations["leadEnquired"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "lead.deleted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A lead was deleted
         * @description A lead was deleted. `object` has only its id. The service has erased personal data from earlier events of the
         *     lead. If you keep a copy, erase yours too.
         */
        post: operations["leadDeleted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "contact.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A contact was created
         * @description A contact was created by a client or by the conversion of a lead. `changes` is empty.
         */
        post: operations["contactCreated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "contact.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A contact was updated
         * @description A contact was updated. `changes` has the fields that changed.
         */
        post: operations["contactUpdated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "contact.deleted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A contact was deleted
         * @description A contact was deleted. `object` has only its id. The service has erased personal data from earlier events of the
         *     contact. If you keep a copy, erase yours too.
         */
        post: operations["contactDeleted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "note.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A note was created
         * @description A note was created. The event belongs to the history of the note's lead or contact. To find it, filter by
         *     `resource_id` with the id of the lead or contact.
         */
        post: operations["noteCreated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "note.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A note was updated
         * @description A note was changed. `changes` has the fields that changed.
         */
        post: operations["noteUpdated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "note.deleted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A note was deleted
         * @description A note was deleted. `object` has only its id. If the whole lead or contact is deleted, its notes are deleted
         *     without separate events.
         */
        post: operations["noteDeleted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "content.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Content was created
         * @description Content was created as a draft. `changes` is empty.
         */
        post: operations["contentCreated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "content.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Content was updated
         * @description Content was updated. You get this event for every change. More specific events of the same change follow it.
         */
        post: operations["contentUpdated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "content.published": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Content was published
         * @description Content was published. `changes` has `status`, and `published_at` and `archived_at` if they changed.
         */
        post: operations["contentPublished"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "content.unpublished": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Content became a draft again
         * @description Content became a draft again. `changes` has `status`, and `published_at` and `archived_at` if they changed.
         */
        post: operations["contentUnpublished"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "content.archived": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Content was archived
         * @description Content was archived. `changes` has `status` and `archived_at`.
         */
        post: operations["contentArchived"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "content.deleted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Content was deleted
         * @description Content was deleted. `object` has only its id.
         */
        post: operations["contentDeleted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "user.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A user was created
         * @description A user was created. `changes` is empty.
         */
        post: operations["userCreated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "user.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A user was updated
         * @description A user was updated, activated or deactivated. `changes` has the fields that changed.
         */
        post: operations["userUpdated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "user.deleted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A user was deleted
         * @description A user was deleted. `object` has only its id. The service has erased the name and the email from earlier events of
         *     the user. If you keep a copy, erase yours too.
         */
        post: operations["userDeleted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "inbound.rejected": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * An inbound hook rejected a delivery
         * @description An inbound hook rejected a delivery because it does not make a valid lead. `object` has the hook, the delivery's
         *     id, and the errors of each field. To see what was sent, read the delivery.
         */
        post: operations["inboundRejected"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "webhook.disabled": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A webhook was disabled
         * @description The service disabled a webhook because its receiver failed for too long or answered 410. Your other webhooks
         *     receive this event. No event is lost: you can replay them.
         */
        post: operations["webhookDisabled"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "webhook.test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * You asked for a test event
         * @description You asked for a test event with `POST /webhooks/{id}/test`. Only that webhook receives it.
         */
        post: operations["webhookTest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        /**
         * @description Which deliveries make leads: those in which `path` finds a value that fulfils the condition. Give one condition.
         *     Other deliveries get the status `skipped`. Numbers and booleans are compared as texts, so that `"true"` equals
         *     `true`. Null accepts every delivery. At most 4 KiB of JSON. A change replaces the whole condition.
         * @example {
         *       "path": "/event",
         *       "equals": "invitee.created"
         *     }
         */
        AcceptIf: {
            path: components["schemas"]["MappingPath"];
            /** @description A value at `path` is this text. */
            equals?: string;
            /** @description No value at `path` is this text. A missing value fulfils this. */
            not_equals?: string;
            /** @description A value at `path` is one of these texts. */
            in?: string[];
            /** @description Whether there must be a value at `path` that is not empty, or none. */
            exists?: boolean;
        } | null;
        /**
         * @description Whether you can assign something to the user.
         * @example true
         */
        Active: boolean;
        /** @description The change of `active`. */
        ActiveChange: {
            /** @description The value before the change. */
            from: boolean;
            /** @description The value after the change. */
            to: boolean;
        };
        /**
         * @description Who made the change, and on whose behalf. In a history, `name` and `user_name` say who that is today; events of
         *     the feed and of webhooks have only the ids.
         */
        Actor: {
            /**
             * @description `client` for an API client, `hook` for an inbound hook, `system` for the service itself.
             * @enum {string}
             */
            type: "client" | "hook" | "system";
            /**
             * @description The id of the client or hook. Null for the service itself.
             * @example client_01m7w4n5e0e0vbbhcpvg4zwf73
             */
            id: string | null;
            /**
             * @description The user for whom the client acted, as `Acting-User` said. Null if it acted for nobody.
             * @example user_01m7w4n5e0eymtkc82hvhg0xb9
             */
            user_id: string | null;
            /**
             * @description The name of the client or hook. Null if it is gone, or for the service itself. Only in a history.
             * @example Website backend
             */
            name?: string | null;
            /**
             * @description The name of the user. Null if there is none, or the user was deleted. Only in a history.
             * @example Grace Hopper
             */
            user_name?: string | null;
        };
        /**
         * @description Tags to add. The other tags stay. Not together with `tags`.
         * @example [
         *       "vip"
         *     ]
         */
        AddTags: string[];
        /**
         * @description The origins whose pages may send data. A page of another one gets a 403 with the code `origin_not_allowed`, and
         *     nothing is stored. Programs, which send no `Origin`, are not affected. A list replaces the existing one; null
         *     or an empty list allows any origin.
         * @example [
         *       "https://www.example.com"
         *     ]
         */
        AllowedOrigins: string[] | null;
        /**
         * @description An exact amount, with at most 15 digits before the point and at most the decimals that its currency has in ISO 4217:
         *     two for EUR, none for JPY, three for KWD. Missing decimals are zeros, so `1250` becomes `1250.00` in EUR.
         * @example 1250.00
         */
        Amount: string;
        /** @description The period of the report. */
        AnalyticsMeta: {
            /**
             * Format: date
             * @description The first day.
             */
            from: string;
            /**
             * Format: date
             * @description The last day, included.
             */
            to: string;
            /** @description The timezone of the days. */
            timezone: string;
            /**
             * Format: date-time
             * @description When the service created the report.
             */
            generated_at: string;
        };
        /** @description The period of the report, and whether rows are missing. */
        AnalyticsRowsMeta: {
            /**
             * Format: date
             * @description The first day.
             */
            from: string;
            /**
             * Format: date
             * @description The last day, included.
             */
            to: string;
            /** @description The timezone of the days. */
            timezone: string;
            /**
             * Format: date-time
             * @description When the service created the report.
             */
            generated_at: string;
            /**
             * Format: int32
             * @description The number of rows that did not fit.
             */
            omitted: number;
        };
        /** @description An error. Every error has this shape. */
        ApiError: {
            /**
             * @description What went wrong, in a sentence for people. The wording may change.
             * @example name is required.
             */
            message: string;
            /**
             * @description What went wrong, as a name for programs. Codes are stable. New ones may be added, so handle an unknown code
             *     by its status.
             * @example validation_failed
             */
            code: components["schemas"]["ErrorCode"] | string;
            /**
             * @description The request's id, as in `X-Request-Id`. Quote it when you ask for support.
             * @example req-5f3c9a7e1b2d
             */
            request_id: string;
            /**
             * @description The messages for each wrong field, parameter or header. Nested fields look like `metadata.plan` or `tags.3`.
             *     `id` stands for the resource in the path.
             */
            errors?: {
                [key: string]: string[];
            };
            /**
             * @description The resource that already has this value. Missing if your scopes don't let you read it.
             * @example lead_01m7w4n5e0ea9bcm473x5b9fx3
             */
            existing_id?: string;
            /**
             * @description The scope that your token or API key lacks.
             * @example leads:write
             */
            required_scope?: string;
            /**
             * @description The error code of RFC 6749. Only on `/auth/*`.
             * @example invalid_client
             */
            error?: string;
            /**
             * @description The description of the error for RFC 6749. Only on `/auth/*`.
             * @example The API client is unknown or disabled in this environment, or its secret is wrong.
             */
            error_description?: string;
        };
        /** @description An event. `type` says what happened. New types may be added, so ignore types that you don't know. */
        ApiEvent: components["schemas"]["LeadCreatedEvent"] | components["schemas"]["LeadUpdatedEvent"] | components["schemas"]["LeadStatusChangedEvent"] | components["schemas"]["LeadAssignedEvent"] | components["schemas"]["LeadConvertedEvent"] | components["schemas"]["LeadEnquiredEvent"] | components["schemas"]["LeadDeletedEvent"] | components["schemas"]["ContactCreatedEvent"] | components["schemas"]["ContactUpdatedEvent"] | components["schemas"]["ContactDeletedEvent"] | components["schemas"]["NoteCreatedEvent"] | components["schemas"]["NoteUpdatedEvent"] | components["schemas"]["NoteDeletedEvent"] | components["schemas"]["ContentCreatedEvent"] | components["schemas"]["ContentUpdatedEvent"] | components["schemas"]["ContentPublishedEvent"] | components["schemas"]["ContentUnpublishedEvent"] | components["schemas"]["ContentArchivedEvent"] | components["schemas"]["ContentDeletedEvent"] | components["schemas"]["UserCreatedEvent"] | components["schemas"]["UserUpdatedEvent"] | components["schemas"]["UserDeletedEvent"] | components["schemas"]["InboundRejectedEvent"] | components["schemas"]["WebhookDisabledEvent"] | components["schemas"]["WebhookTestEvent"];
        /** @description An API key. Every field is always present. */
        ApiKey: {
            /**
             * @description The id of the API key. It is not the key itself.
             * @example key_01m7w4n5e0ebj8t9xkcpqz3w5d
             */
            id: string;
            /**
             * @description The client that the key belongs to.
             * @example client_01m7w4n5e0e0vbbhcpvg4zwf73
             */
            client_id: string;
            /**
             * @description The purpose of the key.
             * @example Nightly export
             */
            name: string;
            /**
             * @description The scopes of the key.
             * @example [
             *       "leads:read",
             *       "leads:write"
             *     ]
             */
            scopes: string[];
            /**
             * Format: date-time
             * @description When the key expires, in UTC. Null if it never expires.
             * @example 2026-11-21T14:05:00.000Z
             */
            expires_at: string | null;
            /**
             * Format: date-time
             * @description When the key was revoked, in UTC. Null if it is not revoked.
             * @example 2026-11-21T14:05:00.000Z
             */
            revoked_at: string | null;
            /**
             * @description The last four characters of the key, to recognize it by. Null if the key was created before version 1.0.
             * @example qKtM
             */
            hint: string | null;
            /**
             * Format: date-time
             * @description When a request was last made with the key, in UTC, up to ten seconds ago. Null if it was never used. A use
             *     does not change `version`.
             * @example 2026-11-21T14:05:00.000Z
             */
            last_used_at: string | null;
            created_at: components["schemas"]["CreatedAt"];
            updated_at: components["schemas"]["UpdatedAt"];
            version: components["schemas"]["Version"];
        };
        /** @description A page of API keys. */
        ApiKeyListResponse: {
            /** @description The API keys on this page. */
            data: components["schemas"]["ApiKey"][];
            meta: components["schemas"]["ListMeta"];
        };
        /**
         * @description A field to sort by. A leading `-` means descending.
         * @default -created_at
         * @enum {string}
         */
        ApiKeyOrder: "created_at" | "-created_at" | "updated_at" | "-updated_at";
        /** @description A single API key. */
        ApiKeyResponse: {
            data: components["schemas"]["ApiKey"];
        };
        /** @description An API key with the key itself. Only its creation returns it. */
        ApiKeyWithSecret: {
            /**
             * @description The id of the API key. It is not the key itself.
             * @example key_01m7w4n5e0ebj8t9xkcpqz3w5d
             */
            id: string;
            /**
             * @description The client that the key belongs to.
             * @example client_01m7w4n5e0e0vbbhcpvg4zwf73
             */
            client_id: string;
            /**
             * @description The purpose of the key.
             * @example Nightly export
             */
            name: string;
            /**
             * @description The scopes of the key.
             * @example [
             *       "leads:read",
             *       "leads:write"
             *     ]
             */
            scopes: string[];
            /**
             * Format: date-time
             * @description When the key expires, in UTC. Null if it never expires.
             * @example 2026-11-21T14:05:00.000Z
             */
            expires_at: string | null;
            /**
             * Format: date-time
             * @description When the key was revoked, in UTC. Null if it is not revoked.
             * @example 2026-11-21T14:05:00.000Z
             */
            revoked_at: string | null;
            /**
             * @description The last four characters of the key, to recognize it by. Null if the key was created before version 1.0.
             * @example qKtM
             */
            hint: string | null;
            /**
             * Format: date-time
             * @description When a request was last made with the key, in UTC, up to ten seconds ago. Null if it was never used. A use
             *     does not change `version`.
             * @example 2026-11-21T14:05:00.000Z
             */
            last_used_at: string | null;
            created_at: components["schemas"]["CreatedAt"];
            updated_at: components["schemas"]["UpdatedAt"];
            version: components["schemas"]["Version"];
            /**
             * @description The key itself, for the header `X-API-Key`. The service does not show it again.
             * @example lpk_live_7Gq2mZs0XwYc5uTn9bRk1eJv4hLp8aDf6iOoBxVqKtM
             */
            api_key: string;
        };
        /** @description A single API key with the key itself. */
        ApiKeyWithSecretResponse: {
            data: components["schemas"]["ApiKeyWithSecret"];
        };
        /**
         * @description The assigned user, who must be active.
         * @example user_01m7w4n5e0eymtkc82hvhg0xb9
         */
        AssignedUserId: string | null;
        /**
         * @description The action. New actions may be added. `signing_key.rotated` means that the operator replaced the key that signs
         *     tokens.
         * @enum {string}
         */
        AuditAction: "client.created" | "client.updated" | "client.secret_rotated" | "client.disabled" | "client.enabled" | "key.created" | "key.revoked" | "signing_key.rotated";
        /** @description Who performed the action. */
        AuditActor: {
            /**
             * @description `client` for an API client, `operator` for a person at the command line, `system` for the service itself
             *     when it first starts.
             * @enum {string}
             */
            type: "client" | "operator" | "system";
            /**
             * @description The client. Null for the operator and the service itself.
             * @example client_01m7w4n5e0e0vbbhcpvg4zwf73
             */
            id: string | null;
            /**
             * @description The user for whom the client acted, as `Acting-User` said. Null if it acted for nobody.
             * @example user_01m7w4n5e0eymtkc82hvhg0xb9
             */
            user_id: string | null;
            /**
             * @description The name of the client. Null for the operator and the service itself.
             * @example Website backend
             */
            name: string | null;
            /**
             * @description The name of the user. Null if there is none, or the user was deleted.
             * @example Grace Hopper
             */
            user_name: string | null;
        };
        /** @description An action on a client or an API key. Every field is always present. */
        AuditLogEntry: {
            /**
             * @description The id of the entry.
             * @example audit_01m7w4n5e0f3s8v6rt2yqb4k9e
             */
            id: string;
            created_at: components["schemas"]["CreatedAt"];
            action: components["schemas"]["AuditAction"];
            actor: components["schemas"]["AuditActor"];
            /**
             * @description The IP address that sent the request. Null if there was no request.
             * @example 203.0.113.7
             */
            address: string | null;
            /**
             * @description The id of the request, as in `X-Request-Id`. Null if there was no request.
             * @example req-5f3c9a7e1b2d
             */
            request_id: string | null;
            /**
             * @description The client that was changed, or the owner of the API key that was. Null if there is none.
             * @example client_01m7w4n5e0e0vbbhcpvg4zwf73
             */
            client_id: string | null;
            /**
             * @description The API key that was created or revoked. Null if there is none.
             * @example key_01m7w4n5e0ebj8t9xkcpqz3w5d
             */
            key_id: string | null;
            /**
             * @description The name of the client or API key. Null if there is none.
             * @example Website backend
             */
            name: string | null;
            /**
             * @description The scopes of the client or API key. Null if there is none.
             * @example [
             *       "leads:read",
             *       "leads:write"
             *     ]
             */
            scopes: string[] | null;
        };
        /**
         * @description A field to sort by. A leading `-` means descending.
         * @default -created_at
         * @enum {string}
         */
        AuditLogOrder: "created_at" | "-created_at";
        /** @description A page of the audit log. */
        AuditLogResponse: {
            /** @description The entries on this page. */
            data: components["schemas"]["AuditLogEntry"][];
            meta: components["schemas"]["ListMeta"];
        };
        /**
         * @description The person who wrote the note, if it comes from another system.
         * @example Grace Hopper
         */
        AuthorName: string | null;
        /**
         * @description The user who wrote the content, who must be active.
         * @example user_01m7w4n5e0eymtkc82hvhg0xb9
         */
        AuthorUserId: string | null;
        /**
         * @description With `true`, the batch is applied as a whole or not at all: if an item fails, the answer is a 422 and nothing is
         *     written. With `false`, every valid item is applied.
         */
        BatchAtomic: boolean;
        /** @description Contacts to create. */
        BatchCreateContacts: {
            /** @default false */
            atomic: components["schemas"]["BatchAtomic"];
            /** @description The new contacts. An invalid one fails alone, unless the batch is `atomic`. */
            items: components["schemas"]["CreateContact"][];
        };
        /** @description Leads to create. */
        BatchCreateLeads: {
            /** @default false */
            atomic: components["schemas"]["BatchAtomic"];
            /** @description The new leads. An invalid one fails alone, unless the batch is `atomic`. */
            items: components["schemas"]["CreateLead"][];
        };
        /** @description Contacts to delete. */
        BatchDeleteContacts: {
            /** @default false */
            atomic: components["schemas"]["BatchAtomic"];
            ids: components["schemas"]["BatchIds"];
        };
        /** @description Leads to delete. */
        BatchDeleteLeads: {
            /** @default false */
            atomic: components["schemas"]["BatchAtomic"];
            ids: components["schemas"]["BatchIds"];
        };
        /** @description What happened to an id. */
        BatchDeletion: {
            index: components["schemas"]["BatchIndex"];
            status: components["schemas"]["BatchStatus"];
            /** @description The id that you sent. */
            id: string;
        };
        /** @description What happened to each id. */
        BatchDeletionResponse: {
            /** @description A result for each id, in the same order. */
            data: components["schemas"]["BatchDeletion"][];
            meta: components["schemas"]["BatchMeta"];
        };
        /** @description The ids. */
        BatchIds: string[];
        /**
         * Format: int32
         * @description The item's position in the batch, starting at 0.
         */
        BatchIndex: number;
        /** @description The number of items, in total and by status. */
        BatchMeta: {
            /**
             * Format: int32
             * @description All items of the batch.
             */
            total: number;
            /**
             * Format: int32
             * @description Items that were created.
             */
            created: number;
            /**
             * Format: int32
             * @description Items that changed an existing resource.
             */
            updated: number;
            /**
             * Format: int32
             * @description Items that changed nothing.
             */
            unchanged: number;
            /**
             * Format: int32
             * @description Items that were deleted.
             */
            deleted: number;
            /**
             * Format: int32
             * @description Items that were found.
             */
            found: number;
            /**
             * Format: int32
             * @description Items that do not exist.
             */
            not_found: number;
            /**
             * Format: int32
             * @description Items that failed.
             */
            failed: number;
        };
        /** @description The values that identify the contacts. Send exactly one of the fields. */
        BatchReadContacts: {
            ids?: components["schemas"]["BatchIds"];
            /** @description The email addresses, ignoring case. */
            emails?: string[];
            /** @description The ids in your own system. */
            external_ids?: string[];
        };
        /** @description The values that identify the leads. Send exactly one of the fields. */
        BatchReadLeads: {
            ids?: components["schemas"]["BatchIds"];
            /** @description The email addresses, ignoring case. */
            emails?: string[];
            /** @description The ids in your own system. */
            external_ids?: string[];
        };
        /**
         * @description What happened to the item.
         * @example created
         * @enum {string}
         */
        BatchStatus: "created" | "updated" | "unchanged" | "deleted" | "found" | "not_found" | "failed";
        /** @description Changes of contacts. */
        BatchUpdateContacts: {
            /** @default false */
            atomic: components["schemas"]["BatchAtomic"];
            /** @description The changes. An invalid one fails alone, unless the batch is `atomic`. */
            items: components["schemas"]["ContactPatch"][];
        };
        /** @description Changes of leads. */
        BatchUpdateLeads: {
            /** @default false */
            atomic: components["schemas"]["BatchAtomic"];
            /** @description The changes. An invalid one fails alone, unless the batch is `atomic`. */
            items: components["schemas"]["LeadPatch"][];
        };
        /** @description Contacts to create or update. */
        BatchUpsertContacts: {
            /**
             * @description The field that identifies a contact.
             * @example external_id
             * @enum {string}
             */
            match: "email" | "external_id";
            /** @default false */
            atomic: components["schemas"]["BatchAtomic"];
            /** @description The fields to set. An invalid item fails alone, unless the batch is `atomic`. */
            items: components["schemas"]["UpdateContact"][];
        };
        /** @description Leads to create or update. */
        BatchUpsertLeads: {
            /**
             * @description The field that identifies a lead.
             * @example external_id
             * @enum {string}
             */
            match: "email" | "external_id";
            /** @default false */
            atomic: components["schemas"]["BatchAtomic"];
            /** @description The fields to set. An invalid item fails alone, unless the batch is `atomic`. */
            items: components["schemas"]["UpdateLead"][];
        };
        /** @description A challenge and its signature, with the names that LinkedIn expects. */
        ChallengeAnswer: {
            /**
             * @description The challenge.
             * @example 890e4665-4dfe-4ab1-b689-ed553bceeed0
             */
            challengeCode: string;
            /**
             * @description The HMAC-SHA256 of the challenge, in hexadecimal.
             * @example 4e2a1d4eb0fa09e93f7dee20a8e3df69a4a2f0a4ca8a5e1d6d3e1c4d3b2a1908
             */
            challengeResponse: string;
        };
        /** @description A page of clients. */
        ClientListResponse: {
            /** @description The clients on this page. */
            data: components["schemas"]["OAuthClient"][];
            meta: components["schemas"]["ListMeta"];
        };
        /**
         * @description A name for people.
         * @example Website backend
         */
        ClientName: string;
        /**
         * @description A field to sort by. A leading `-` means descending.
         * @default -created_at
         * @enum {string}
         */
        ClientOrder: "created_at" | "-created_at" | "updated_at" | "-updated_at" | "name" | "-name";
        /** @description A single client. */
        ClientResponse: {
            data: components["schemas"]["OAuthClient"];
        };
        /**
         * @description Whether the service accepts the client's credentials.
         * @enum {string}
         */
        ClientStatus: "enabled" | "disabled";
        /**
         * @description The user for whom the client acts, unless a request names another one. The user must be active.
         * @example user_01m7w4n5e0eymtkc82hvhg0xb9
         */
        ClientUserId: string | null;
        /** @description A single client with its secret. */
        ClientWithSecretResponse: {
            data: components["schemas"]["OAuthClientWithSecret"];
        };
        /**
         * @description The company or organisation.
         * @example Analytical Engines
         */
        Company: string | null;
        /** @description A contact. Every field is always present. Empty fields are null. */
        Contact: {
            /**
             * @description The id of the contact. The service generates it.
             * @example contact_01m7w4n5e0fymt8j463c8gepsz
             */
            id: string;
            /**
             * @description The full name.
             * @example Ada Lovelace
             */
            name: string;
            /**
             * Format: email
             * @description The email address. No other contact has it, ignoring case.
             * @example ada@example.com
             */
            email: string | null;
            /**
             * @description The phone number in E.164 format, such as `+4915112345678`.
             * @example +4915112345678
             */
            phone: string | null;
            /**
             * @description The company or organisation.
             * @example Analytical Engines
             */
            company: string | null;
            /**
             * @description The job title.
             * @example Head of Engineering
             */
            title: string | null;
            /**
             * @description Your tags.
             * @example [
             *       "vip"
             *     ]
             */
            tags: string[];
            /**
             * @description The user to whom the contact is assigned.
             * @example user_01m7w4n5e0eymtkc82hvhg0xb9
             */
            assigned_user_id: string | null;
            /**
             * @description The id of the contact in your own system. No other contact has it.
             * @example crm-4711
             */
            external_id: string | null;
            /**
             * @description Your own key-value pairs.
             * @example {
             *       "plan": "enterprise"
             *     }
             */
            metadata: {
                [key: string]: string;
            };
            created_at: components["schemas"]["CreatedAt"];
            updated_at: components["schemas"]["UpdatedAt"];
            version: components["schemas"]["Version"];
        };
        /**
         * @description What happened to an item. A failed item has the `code`, `message` and `errors` of a request with this item
         *     alone.
         */
        ContactBatchItem: {
            index: components["schemas"]["BatchIndex"];
            status: components["schemas"]["BatchStatus"];
            /** @description The id of the contact. Missing if there is none. */
            id?: string;
            /**
             * @description The contact after the change. Missing if the item failed, if the contact already existed and your scopes don't let
             *     you read contacts, or once the response holds 4 MiB of contacts.
             */
            contact?: components["schemas"]["Contact"];
            /** @description What went wrong, as a name for programs. See `ApiError`. */
            code?: string;
            /** @description What went wrong, in a sentence for people. */
            message?: string;
            /** @description The messages for each invalid field of the item. Missing once the response holds 4 MiB. */
            errors?: {
                [key: string]: string[];
            };
            /** @description The contact that already has this value. Missing if your scopes don't let you read it. */
            existing_id?: string;
        };
        /** @description What happened to each item. */
        ContactBatchResponse: {
            /** @description A result for each item, in the same order. */
            data: components["schemas"]["ContactBatchItem"][];
            meta: components["schemas"]["BatchMeta"];
        };
        /** @description The fields of the contact that changed, without `updated_at` and `version`. Empty for a new contact. */
        ContactChanges: {
            name?: components["schemas"]["TextChange"];
            email?: components["schemas"]["NullableTextChange"];
            phone?: components["schemas"]["NullableTextChange"];
            company?: components["schemas"]["NullableTextChange"];
            title?: components["schemas"]["NullableTextChange"];
            tags?: components["schemas"]["TagsChange"];
            tags_sha256?: components["schemas"]["DigestChange"];
            assigned_user_id?: components["schemas"]["NullableTextChange"];
            external_id?: components["schemas"]["NullableTextChange"];
            metadata?: components["schemas"]["MetadataChange"];
            metadata_sha256?: components["schemas"]["DigestChange"];
        };
        /** @description A contact was created. */
        ContactCreatedEvent: {
            /**
             * @description What happened. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "contact.created";
            id: components["schemas"]["EventId"];
            occurred_at: components["schemas"]["OccurredAt"];
            environment: components["schemas"]["Environment"];
            request_id: components["schemas"]["EventRequestId"];
            actor: components["schemas"]["Actor"];
            data: components["schemas"]["ContactEventData"];
        };
        /** @description A contact was deleted. */
        ContactDeletedEvent: {
            /**
             * @description What happened. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "contact.deleted";
            id: components["schemas"]["EventId"];
            occurred_at: components["schemas"]["OccurredAt"];
            environment: components["schemas"]["Environment"];
            request_id: components["schemas"]["EventRequestId"];
            actor: components["schemas"]["Actor"];
            data: components["schemas"]["DeletedContactData"];
        };
        /**
         * Format: email
         * @description The email address, whose domain has a dot. No other contact has it, ignoring case. An international domain is
         *     stored and compared in its ASCII form.
         * @example ada@example.com
         */
        ContactEmail: string | null;
        /** @description The contact after the change, and what changed. */
        ContactEventData: {
            object: components["schemas"]["Contact"];
            changes: components["schemas"]["ContactChanges"];
        };
        /** @description A page of contacts. */
        ContactListResponse: {
            /** @description The contacts on this page. */
            data: components["schemas"]["Contact"][];
            meta: components["schemas"]["ListMeta"];
        };
        /**
         * @description A field to sort by. A leading `-` means descending.
         * @default -created_at
         * @enum {string}
         */
        ContactOrder: "created_at" | "-created_at" | "updated_at" | "-updated_at" | "name" | "-name";
        /** @description A change of a contact. */
        ContactPatch: {
            /** @description The id of the contact. */
            id: string;
            /**
             * Format: int32
             * @description The version that you read. If the contact has another one, the item fails.
             */
            version?: number;
            patch: components["schemas"]["UpdateContact"];
        };
        /** @description A single contact. */
        ContactResponse: {
            data: components["schemas"]["Contact"];
        };
        /** @description A contact was updated. */
        ContactUpdatedEvent: {
            /**
             * @description What happened. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "contact.updated";
            id: components["schemas"]["EventId"];
            occurred_at: components["schemas"]["OccurredAt"];
            environment: components["schemas"]["Environment"];
            request_id: components["schemas"]["EventRequestId"];
            actor: components["schemas"]["Actor"];
            data: components["schemas"]["ContactEventData"];
        };
        /**
         * @description A piece of content without its `body`, as in lists and events. Every field is always present. Empty fields are
         *     null.
         */
        Content: {
            /**
             * @description The id of the content. The service generates it.
             * @example content_01m7w4n5e0fj29y8hnfp12qb0m
             */
            id: string;
            /**
             * @description The title.
             * @example Seven Ways to Count Leads
             */
            title: string;
            /**
             * @description The content's name in URLs. No other content has it.
             * @example seven-ways-to-count-leads
             */
            slug: string;
            type: components["schemas"]["ContentKind"];
            /**
             * @description A summary of the content.
             * @example What a pipeline tells and what it hides.
             */
            summary: string | null;
            /**
             * @description The SHA-256 of the `body` in UTF-8, in hexadecimal. Compare it to check whether your copy is current. Null
             *     if there is no body.
             * @example a20eef3ee499cfe04e2a93c7336e6fc4cc9a15a004c0b5a0078d4ba2e77d4a8e
             */
            body_sha256: string | null;
            /**
             * Format: uri
             * @description Where to find the content on the web.
             * @example https://www.example.com/ebooks/seven-ways-to-count-leads
             */
            url: string | null;
            /**
             * @description The language as a BCP 47 tag, spelled as you sent it.
             * @example en
             */
            language: string | null;
            status: components["schemas"]["ContentStatus"];
            /**
             * @description The user who wrote the content.
             * @example user_01m7w4n5e0eymtkc82hvhg0xb9
             */
            author_user_id: string | null;
            /**
             * @description Your tags.
             * @example [
             *       "vip"
             *     ]
             */
            tags: string[];
            /**
             * @description Your own key-value pairs.
             * @example {
             *       "plan": "enterprise"
             *     }
             */
            metadata: {
                [key: string]: string;
            };
            /**
             * Format: date-time
             * @description When the content was last published. Null if it is a draft or was archived as a draft.
             * @example 2026-11-21T08:00:00.000Z
             */
            published_at: string | null;
            /**
             * Format: date-time
             * @description When the content was archived. Null if it is not archived.
             * @example 2026-12-31T16:45:00.000Z
             */
            archived_at: string | null;
            created_at: components["schemas"]["CreatedAt"];
            updated_at: components["schemas"]["UpdatedAt"];
            version: components["schemas"]["Version"];
        };
        /** @description Content was archived. */
        ContentArchivedEvent: {
            /**
             * @description What happened. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "content.archived";
            id: components["schemas"]["EventId"];
            occurred_at: components["schemas"]["OccurredAt"];
            environment: components["schemas"]["Environment"];
            request_id: components["schemas"]["EventRequestId"];
            actor: components["schemas"]["Actor"];
            data: components["schemas"]["ContentEventData"];
        };
        /** @description The fields of the content that changed, without `updated_at` and `version`. Empty for new content. */
        ContentChanges: {
            title?: components["schemas"]["TextChange"];
            slug?: components["schemas"]["TextChange"];
            type?: components["schemas"]["ContentKindChange"];
            summary?: components["schemas"]["NullableTextChange"];
            body_sha256?: components["schemas"]["DigestChange"];
            url?: components["schemas"]["NullableTextChange"];
            url_sha256?: components["schemas"]["DigestChange"];
            language?: components["schemas"]["NullableTextChange"];
            status?: components["schemas"]["ContentStatusChange"];
            author_user_id?: components["schemas"]["NullableTextChange"];
            tags?: components["schemas"]["TagsChange"];
            tags_sha256?: components["schemas"]["DigestChange"];
            metadata?: components["schemas"]["MetadataChange"];
            metadata_sha256?: components["schemas"]["DigestChange"];
            published_at?: components["schemas"]["NullableTextChange"];
            archived_at?: components["schemas"]["NullableTextChange"];
        };
        /** @description Content was created. */
        ContentCreatedEvent: {
            /**
             * @description What happened. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "content.created";
            id: components["schemas"]["EventId"];
            occurred_at: components["schemas"]["OccurredAt"];
            environment: components["schemas"]["Environment"];
            request_id: components["schemas"]["EventRequestId"];
            actor: components["schemas"]["Actor"];
            data: components["schemas"]["ContentEventData"];
        };
        /** @description Content was deleted. */
        ContentDeletedEvent: {
            /**
             * @description What happened. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "content.deleted";
            id: components["schemas"]["EventId"];
            occurred_at: components["schemas"]["OccurredAt"];
            environment: components["schemas"]["Environment"];
            request_id: components["schemas"]["EventRequestId"];
            actor: components["schemas"]["Actor"];
            data: components["schemas"]["DeletedContentData"];
        };
        /** @description The content after the change, and what changed. `object` has `body_sha256` instead of `body`. */
        ContentEventData: {
            object: components["schemas"]["Content"];
            changes: components["schemas"]["ContentChanges"];
        };
        /**
         * @description The type of the content.
         * @enum {string}
         */
        ContentKind: "article" | "landing_page" | "form" | "ebook" | "video" | "webinar" | "email" | "other";
        /** @description The change of the content type. */
        ContentKindChange: {
            /** @description The value before the change. */
            from: components["schemas"]["ContentKind"];
            /** @description The value after the change. */
            to: components["schemas"]["ContentKind"];
        };
        /** @description A page of content. */
        ContentListResponse: {
            /** @description The content on this page. */
            data: components["schemas"]["Content"][];
            meta: components["schemas"]["ListMeta"];
        };
        /**
         * @description A field to sort by. A leading `-` means descending.
         * @default -created_at
         * @enum {string}
         */
        ContentOrder: "created_at" | "-created_at" | "updated_at" | "-updated_at" | "title" | "-title";
        /** @description The leads that a piece of content brought. */
        ContentPerformance: {
            /** @description The id of the content. */
            content_id: string;
            /** @description The title of the content. */
            title: string;
            type: components["schemas"]["ContentKind"];
            status: components["schemas"]["ContentStatus"];
            /**
             * Format: int32
             * @description Leads created in the period.
             */
            leads: number;
            /**
             * Format: int32
             * @description How many of them ever entered `qualified` or a later status.
             */
            reached_qualified: number;
            /**
             * Format: int32
             * @description How many of them are currently won.
             */
            won: number;
            /**
             * Format: int32
             * @description How many of them are currently lost.
             */
            lost: number;
            /**
             * @description The share of won leads among the leads that are currently won or lost, with four decimals. Null if there are
             *     none.
             */
            win_rate: number | null;
            /**
             * @description What these leads are worth, in each currency that they have, in alphabetical order. Empty if none of them has
             *     a value.
             */
            value: components["schemas"]["RowValue"][];
            leads_url: components["schemas"]["LeadsUrl"];
        };
        /** @description The content. */
        ContentPerformanceResponse: {
            /** @description The content with its figures. Content with the most leads comes first. */
            data: components["schemas"]["ContentPerformance"][];
            meta: components["schemas"]["AnalyticsRowsMeta"];
        };
        /** @description Content was published. */
        ContentPublishedEvent: {
            /**
             * @description What happened. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "content.published";
            id: components["schemas"]["EventId"];
            occurred_at: components["schemas"]["OccurredAt"];
            environment: components["schemas"]["Environment"];
            request_id: components["schemas"]["EventRequestId"];
            actor: components["schemas"]["Actor"];
            data: components["schemas"]["ContentEventData"];
        };
        /** @description A single piece of content. */
        ContentResponse: {
            data: components["schemas"]["ContentWithBody"];
        };
        /**
         * @description The status of the content. Archived content is kept only for its leads.
         * @enum {string}
         */
        ContentStatus: "draft" | "published" | "archived";
        /** @description The change of a status. */
        ContentStatusChange: {
            /** @description The value before the change. */
            from: components["schemas"]["ContentStatus"];
            /** @description The value after the change. */
            to: components["schemas"]["ContentStatus"];
        };
        /** @description Content became a draft again. */
        ContentUnpublishedEvent: {
            /**
             * @description What happened. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "content.unpublished";
            id: components["schemas"]["EventId"];
            occurred_at: components["schemas"]["OccurredAt"];
            environment: components["schemas"]["Environment"];
            request_id: components["schemas"]["EventRequestId"];
            actor: components["schemas"]["Actor"];
            data: components["schemas"]["ContentEventData"];
        };
        /** @description Content was updated. */
        ContentUpdatedEvent: {
            /**
             * @description What happened. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "content.updated";
            id: components["schemas"]["EventId"];
            occurred_at: components["schemas"]["OccurredAt"];
            environment: components["schemas"]["Environment"];
            request_id: components["schemas"]["EventRequestId"];
            actor: components["schemas"]["Actor"];
            data: components["schemas"]["ContentEventData"];
        };
        /** @description A piece of content. Every field is always present. Empty fields are null. */
        ContentWithBody: {
            /**
             * @description The id of the content. The service generates it.
             * @example content_01m7w4n5e0fj29y8hnfp12qb0m
             */
            id: string;
            /**
             * @description The title.
             * @example Seven Ways to Count Leads
             */
            title: string;
            /**
             * @description The content's name in URLs. No other content has it.
             * @example seven-ways-to-count-leads
             */
            slug: string;
            type: components["schemas"]["ContentKind"];
            /**
             * @description A summary of the content.
             * @example What a pipeline tells and what it hides.
             */
            summary: string | null;
            /**
             * @description The SHA-256 of the `body` in UTF-8, in hexadecimal. Compare it to check whether your copy is current. Null
             *     if there is no body.
             * @example a20eef3ee499cfe04e2a93c7336e6fc4cc9a15a004c0b5a0078d4ba2e77d4a8e
             */
            body_sha256: string | null;
            /**
             * Format: uri
             * @description Where to find the content on the web.
             * @example https://www.example.com/ebooks/seven-ways-to-count-leads
             */
            url: string | null;
            /**
             * @description The language as a BCP 47 tag, spelled as you sent it.
             * @example en
             */
            language: string | null;
            status: components["schemas"]["ContentStatus"];
            /**
             * @description The user who wrote the content.
             * @example user_01m7w4n5e0eymtkc82hvhg0xb9
             */
            author_user_id: string | null;
            /**
             * @description Your tags.
             * @example [
             *       "vip"
             *     ]
             */
            tags: string[];
            /**
             * @description Your own key-value pairs.
             * @example {
             *       "plan": "enterprise"
             *     }
             */
            metadata: {
                [key: string]: string;
            };
            /**
             * Format: date-time
             * @description When the content was last published. Null if it is a draft or was archived as a draft.
             * @example 2026-11-21T08:00:00.000Z
             */
            published_at: string | null;
            /**
             * Format: date-time
             * @description When the content was archived. Null if it is not archived.
             * @example 2026-12-31T16:45:00.000Z
             */
            archived_at: string | null;
            created_at: components["schemas"]["CreatedAt"];
            updated_at: components["schemas"]["UpdatedAt"];
            version: components["schemas"]["Version"];
            /**
             * @description The text of the content, in Markdown.
             * @example # Seven ways
             */
            body: string | null;
        };
        /** @description The result of the conversion. */
        Conversion: {
            lead: components["schemas"]["Lead"];
            contact: components["schemas"]["Contact"];
            /**
             * @description `true` if this request created the contact, `false` if the contact already existed.
             * @example true
             */
            contact_created: boolean;
        };
        /** @description The converted lead and its contact. */
        ConversionResponse: {
            data: components["schemas"]["Conversion"];
        };
        /** @description How to convert the lead. */
        ConvertLead: {
            /**
             * @description The contact to link the lead to. Without it, the service uses the contact with the lead's email address, or
             *     creates one.
             * @example contact_01m7w4n5e0fymt8j463c8gepsz
             */
            contact_id?: string | null;
            /**
             * @description The new status of the lead. Without it, the lead keeps its status.
             * @example won
             * @enum {string}
             */
            status?: "new" | "contacted" | "qualified" | "won";
        };
        /** @description A new API key. */
        CreateApiKey: {
            name: components["schemas"]["ClientName"];
            /**
             * @description The scopes of the key. The default is all scopes of its client. Duplicates are removed.
             * @example [
             *       "leads:read"
             *     ]
             */
            scopes?: components["schemas"]["Scope"][];
            /**
             * Format: instant-or-date
             * @description When the key expires: an RFC 3339 instant, or a date, at whose end in UTC it expires. Without it, the key
             *     never expires.
             * @example 2027-11-30
             */
            expires_at?: string | null;
        };
        /** @description A new client. */
        CreateClient: {
            name: components["schemas"]["ClientName"];
            scopes: components["schemas"]["Scopes"];
            user_id?: components["schemas"]["ClientUserId"];
        };
        /** @description A new contact. */
        CreateContact: {
            name: components["schemas"]["Name"];
            email?: components["schemas"]["ContactEmail"];
            phone?: components["schemas"]["Phone"];
            company?: components["schemas"]["Company"];
            title?: components["schemas"]["JobTitle"];
            assigned_user_id?: components["schemas"]["AssignedUserId"];
            external_id?: components["schemas"]["ExternalId"];
            /** @default [] */
            tags: components["schemas"]["Tags"];
            /** @default {} */
            metadata: components["schemas"]["Metadata"];
        };
        /** @description The new content. It starts as a draft. */
        CreateContent: {
            title: components["schemas"]["Title"];
            slug?: components["schemas"]["Slug"];
            type: components["schemas"]["ContentKind"];
            summary?: components["schemas"]["Summary"];
            body?: components["schemas"]["Markdown"];
            url?: components["schemas"]["Url"];
            language?: components["schemas"]["NullableLanguage"];
            author_user_id?: components["schemas"]["AuthorUserId"];
            /** @default [] */
            tags: components["schemas"]["Tags"];
            /** @default {} */
            metadata: components["schemas"]["Metadata"];
        };
        /** @description How to import the file that you send afterwards. */
        CreateImport: {
            resource: components["schemas"]["ImportResource"];
            /**
             * @description The field of a column. Null ignores the column. Columns that you leave out are mapped by their names and
             *     rows.
             */
            mapping?: components["schemas"]["GivenMapping"];
            defaults?: components["schemas"]["ImportDefaults"];
            values?: components["schemas"]["ImportValues"];
            /**
             * @description The language and region of dates and amounts in the file (BCP 47). With `de`, `1.250,00` is 1250, and
             *     `31.01.2027` is a date.
             * @example de-DE
             */
            locale?: string | null;
            /**
             * @description The country of phone numbers without a country code (ISO 3166-1 alpha-2).
             * @example DE
             */
            default_country?: string | null;
            /**
             * @description The encoding of the file. Without it, the service recognizes the usual ones.
             * @example windows-1252
             */
            charset?: string | null;
            /**
             * @description The name of the workbook's sheet. Without it, the first sheet is imported.
             * @example Leads
             */
            sheet?: string | null;
            /** @default email */
            match: components["schemas"]["ImportMatch"];
            /** @default reject */
            on_duplicate: components["schemas"]["ImportOnDuplicate"];
            create_users?: components["schemas"]["ImportCreateUsers"];
            mode?: components["schemas"]["ImportMode"];
            /** @description Whether the import starts as soon as it has its file. If you leave it out, it starts unless it has `doubts`. */
            start?: boolean;
        };
        /** @description A new inbound hook. */
        CreateInboundHook: {
            name: components["schemas"]["HookName"];
            /** @default enabled */
            status: components["schemas"]["InboundHookStatus"];
            /** @default website */
            lead_source: components["schemas"]["LeadSource"];
            /** @default [] */
            default_tags: components["schemas"]["Tags"];
            assigned_user_id?: components["schemas"]["HookUserId"];
            content_id?: components["schemas"]["FirstContentId"];
            /**
             * @default {
             *       "name": [
             *         "/name",
             *         "/full_name",
             *         "/fullname",
             *         "/fullName",
             *         "/your-name",
             *         "/Name",
             *         "/Full name",
             *         "/Full Name"
             *       ],
             *       "name.first": [
             *         "/first_name",
             *         "/firstname",
             *         "/firstName",
             *         "/first-name",
             *         "/fname",
             *         "/First name",
             *         "/First Name"
             *       ],
             *       "name.last": [
             *         "/last_name",
             *         "/lastname",
             *         "/lastName",
             *         "/last-name",
             *         "/lname",
             *         "/surname",
             *         "/Last name",
             *         "/Last Name"
             *       ],
             *       "email": [
             *         "/email",
             *         "/email_address",
             *         "/emailAddress",
             *         "/e-mail",
             *         "/mail",
             *         "/your-email",
             *         "/Email",
             *         "/E-mail",
             *         "/Email address",
             *         "/Email Address"
             *       ],
             *       "phone": [
             *         "/phone",
             *         "/phone_number",
             *         "/phoneNumber",
             *         "/telephone",
             *         "/tel",
             *         "/mobile",
             *         "/your-phone",
             *         "/your-tel",
             *         "/Phone",
             *         "/Phone number",
             *         "/Phone Number"
             *       ],
             *       "company": [
             *         "/company",
             *         "/company_name",
             *         "/companyName",
             *         "/organization",
             *         "/organisation",
             *         "/your-company",
             *         "/Company",
             *         "/Company name",
             *         "/Company Name"
             *       ],
             *       "note": [
             *         "/message",
             *         "/note",
             *         "/notes",
             *         "/comment",
             *         "/comments",
             *         "/enquiry",
             *         "/inquiry",
             *         "/your-message",
             *         "/Message",
             *         "/Comments",
             *         "/Notes"
             *       ],
             *       "external_id": [
             *         "/external_id",
             *         "/lead_id",
             *         "/id"
             *       ]
             *     }
             */
            mapping: components["schemas"]["Mapping"];
            /**
             * @default {
             *       "type": "none"
             *     }
             */
            verification: components["schemas"]["CreateVerification"];
            /** @default merge */
            on_duplicate: components["schemas"]["OnDuplicate"];
            redirect_url?: components["schemas"]["RedirectUrl"];
            honeypot?: components["schemas"]["Honeypot"];
            allowed_origins?: components["schemas"]["AllowedOrigins"];
            default_country?: components["schemas"]["DefaultCountry"];
            locale?: components["schemas"]["Locale"];
            /** @default {} */
            values: components["schemas"]["HookValues"];
            accept_if?: components["schemas"]["AcceptIf"];
        };
        /** @description A new lead. */
        CreateLead: {
            name: components["schemas"]["Name"];
            email: components["schemas"]["Email"];
            /** @default new */
            status: components["schemas"]["LeadStatus"];
            /** @default api */
            source: components["schemas"]["LeadSource"];
            source_detail?: components["schemas"]["SourceDetail"];
            phone?: components["schemas"]["Phone"];
            company?: components["schemas"]["Company"];
            assigned_user_id?: components["schemas"]["AssignedUserId"];
            content_id?: components["schemas"]["FirstContentId"];
            external_id?: components["schemas"]["ExternalId"];
            lost_reason?: components["schemas"]["LostReason"];
            value?: components["schemas"]["LeadValueInput"];
            expected_close_on?: components["schemas"]["ExpectedCloseOn"];
            /** @default [] */
            tags: components["schemas"]["Tags"];
            /** @default {} */
            metadata: components["schemas"]["Metadata"];
        };
        /** @description A new note. */
        CreateNote: {
            text: components["schemas"]["NoteText"];
            /** @default false */
            pinned: components["schemas"]["Pinned"];
            external_id?: components["schemas"]["NoteExternalId"];
            author_name?: components["schemas"]["AuthorName"];
        };
        /** @description A new user. */
        CreateUser: {
            name: components["schemas"]["Name"];
            email: components["schemas"]["Email"];
            /** @default true */
            active: components["schemas"]["Active"];
            external_id?: components["schemas"]["ExternalId"];
            metadata?: components["schemas"]["Metadata"];
        };
        /**
         * @description How the hook verifies the data it receives. `standard_webhooks` needs a `secret` (`whsec_…`). `hmac_sha256`
         *     needs a `secret` and the `header` with the body's signature. Set `encoding`, `prefix`, `signed` and
         *     `timestamp_header` to the sender's format. `shared_header` needs a `secret` and the `header` that contains it,
         *     `shared_field` the `path` to the field that contains it.
         */
        CreateVerification: {
            type: components["schemas"]["VerificationType"];
            /**
             * @description The name of the header with the signature or the secret.
             * @example X-Hub-Signature-256
             */
            header?: string | null;
            /**
             * @description The encoding of the `hmac_sha256` signature: `hex`, the default, or `base64`.
             * @example hex
             * @enum {string|null}
             */
            encoding?: "hex" | "base64" | null;
            /**
             * @description The text before the `hmac_sha256` signature in its header, such as `sha256=`.
             * @example sha256=
             */
            prefix?: string | null;
            /**
             * @description What `hmac_sha256` signs: a text in which `{timestamp}`, `{body}`, `{method}` and `{url}` stand for those of
             *     the request. `{body}` is the default. With `{timestamp}` but without `timestamp_header`, the `header` must
             *     be a list such as `t=1700000000,v1=5257a8…`. One of its signatures must match; they begin with `prefix`, or
             *     with `v1=` if there is none.
             * @example {timestamp}.{body}
             */
            signed?: string | null;
            /**
             * @description The name of the header with the `{timestamp}` that is signed, in seconds or milliseconds since 1970.
             * @example X-Request-Timestamp
             */
            timestamp_header?: string | null;
            /**
             * Format: int32
             * @description How many seconds the `{timestamp}` that is signed may differ from the time of the request. 300 is the
             *     default.
             * @example 300
             */
            tolerance?: number | null;
            /**
             * @description A JSON Pointer (RFC 6901) to the field with the secret. The service removes the secret before it stores the
             *     data.
             * @example /google_key
             */
            path?: string | null;
            /**
             * @description The `hub.verify_token` that `GET /hooks/{token}` expects. The service encrypts it and never shows it.
             * @example verify-4f8a1c9be2
             */
            verify_token?: string | null;
            /**
             * @description The secret that the other system sends or uses to sign. The service encrypts it and never shows it.
             * @example whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw
             */
            secret?: string;
        };
        /** @description A new webhook. */
        CreateWebhook: {
            url: components["schemas"]["WebhookUrl"];
            event_types: components["schemas"]["EventTypes"];
            description?: components["schemas"]["WebhookDescription"];
            /** @default enabled */
            status: components["schemas"]["WantedWebhookStatus"];
            /** @default standard */
            retry_schedule: components["schemas"]["RetrySchedule"];
        };
        /**
         * Format: date-time
         * @description When it was created, in UTC.
         * @example 2026-11-20T09:30:00.000Z
         */
        CreatedAt: string;
        /**
         * @description The ISO 4217 code of a currency.
         * @example EUR
         */
        Currency: string;
        /** @description The client that made the request. */
        CurrentClient: {
            /**
             * @description The client's id.
             * @example client_01m7w4n5e0e0vbbhcpvg4zwf73
             */
            client_id: string;
            /** @description The client's name. */
            name: string;
            /**
             * @description The user for whom the client acts, unless a request names another one.
             * @example user_01m7w4n5e0eymtkc82hvhg0xb9
             */
            user_id: string | null;
            environment: components["schemas"]["Environment"];
            /** @description The scopes of the token or API key. */
            scopes: string[];
            /**
             * @description The kind of credential that you sent.
             * @enum {string}
             */
            credential: "token" | "api_key";
            key: components["schemas"]["CurrentKey"];
            /**
             * Format: date-time
             * @description When the token or API key expires. Null if it never expires.
             * @example 2026-11-20T10:30:00.000Z
             */
            expires_at: string | null;
        };
        /** @description Your client. */
        CurrentClientResponse: {
            data: components["schemas"]["CurrentClient"];
        };
        /** @description The API key that you sent. Null if you sent a token. */
        CurrentKey: {
            /**
             * @description The id of the API key. It is not the key itself.
             * @example key_01m7w4n5e0ebj8t9xkcpqz3w5d
             */
            id: string;
            /**
             * @description The purpose of the key.
             * @example Nightly export
             */
            name: string;
            /**
             * @description The last four characters of the key. Null if it was created before version 1.0.
             * @example qKtM
             */
            hint: string | null;
        } | null;
        /**
         * Format: date
         * @description A date.
         * @example 2026-11-20
         */
        Day: string;
        /**
         * @description The country of phone numbers without a country code (ISO 3166-1 alpha-2). With `DE`, `030 123456` is read as
         *     `+4930123456`. Without it, such numbers are left out with a warning.
         * @example DE
         */
        DefaultCountry: string | null;
        /** @description The deleted contact. */
        DeletedContactData: {
            /** @description The id of the contact. */
            object: {
                /** @description The id of the contact. */
                id: string;
            };
            changes: components["schemas"]["NoChanges"];
        };
        /** @description The deleted content. */
        DeletedContentData: {
            /** @description The id of the content. */
            object: {
                /** @description The id of the content. */
                id: string;
            };
            changes: components["schemas"]["NoChanges"];
        };
        /** @description The deleted lead. */
        DeletedLeadData: {
            /** @description The id of the lead. */
            object: {
                /** @description The id of the lead. */
                id: string;
            };
            changes: components["schemas"]["NoChanges"];
        };
        /** @description The deleted note. */
        DeletedNoteData: {
            /** @description The id of the note. */
            object: {
                id: components["schemas"]["NoteId"];
            };
            changes: components["schemas"]["NoChanges"];
        };
        /** @description The deleted user. */
        DeletedUserData: {
            /** @description The id of the user. */
            object: {
                /** @description The id of the user. */
                id: string;
            };
            changes: components["schemas"]["NoChanges"];
        };
        /**
         * @description The change of a long value. If the value before or after has more than 1,000 characters, `changes` has the
         *     SHA-256 of both in hexadecimal, under the field's name with `_sha256`. Null means empty. A text is hashed as
         *     UTF-8. Tags and metadata are hashed as JSON (RFC 8785). `object` has the new value. Both hashes become null when
         *     the person is deleted.
         */
        DigestChange: {
            /** @description The SHA-256 of the value before the change. */
            from: string | null;
            /** @description The SHA-256 of the value after the change. */
            to: string | null;
        };
        /**
         * Format: email
         * @description An email address, whose domain has a dot. An international domain is stored and compared in its ASCII form:
         *     `ada@münchen.de` is `ada@xn--mnchen-3ya.de`.
         * @example ada@example.com
         */
        Email: string;
        /**
         * @description The environment: production or the sandbox.
         * @enum {string}
         */
        Environment: "production" | "sandbox";
        /**
         * @description The error codes so far. The chapter on errors explains each of them.
         * @enum {string}
         */
        ErrorCode: "invalid_json" | "invalid_request" | "invalid_parameter" | "invalid_cursor" | "token_missing" | "token_invalid" | "token_expired" | "token_revoked" | "invalid_client" | "signature_invalid" | "insufficient_scope" | "origin_not_allowed" | "https_required" | "not_found" | "method_not_allowed" | "not_acceptable" | "request_timeout" | "last_admin" | "events_expired" | "log_restored" | "version_mismatch" | "body_too_large" | "uri_too_long" | "unsupported_media_type" | "validation_failed" | "invalid_scope" | "duplicate_email" | "duplicate_external_id" | "duplicate_slug" | "user_in_use" | "content_in_use" | "lead_lost" | "already_converted" | "already_seeded" | "webhook_limit_reached" | "inbound_hook_limit_reached" | "webhook_not_enabled" | "replay_running" | "payload_erased" | "invalid_file" | "wrong_import_status" | "idempotency_key_reused" | "rate_limited" | "client_locked" | "inbound_storage_full" | "import_storage_full" | "idempotency_storage_full" | "headers_too_large" | "internal_error" | "unavailable" | "outcome_unknown" | "query_timeout";
        /** @description The next events of the log. */
        EventFeedResponse: {
            /** @description The events, oldest first. */
            data: components["schemas"]["ApiEvent"][];
            meta: components["schemas"]["FeedMeta"];
        };
        /**
         * @description The id of the event. If you receive an event twice, both have the same id.
         * @example event_01m7w4n5e0e5w9fsgdq3y8x2ra
         */
        EventId: string;
        /** @description A page of events. */
        EventListResponse: {
            /** @description The events on this page. */
            data: components["schemas"]["ApiEvent"][];
            meta: components["schemas"]["ListMeta"];
        };
        /**
         * @description The id of the request that made the change, as in `X-Request-Id`. All events of one change have the same.
         * @example req-5f3c9a7e1b2d
         */
        EventRequestId: string;
        /** @description A single event. */
        EventResponse: {
            data: components["schemas"]["ApiEvent"];
        };
        /**
         * @description What happened. `GET /event-types` describes each type.
         * @enum {string}
         */
        EventType: "lead.created" | "lead.updated" | "lead.status_changed" | "lead.assigned" | "lead.converted" | "lead.enquired" | "lead.deleted" | "contact.created" | "contact.updated" | "contact.deleted" | "note.created" | "note.updated" | "note.deleted" | "content.created" | "content.updated" | "content.published" | "content.unpublished" | "content.archived" | "content.deleted" | "user.created" | "user.updated" | "user.deleted" | "inbound.rejected" | "webhook.disabled" | "webhook.test";
        /** @description An event type. */
        EventTypeDescription: {
            type: components["schemas"]["EventType"];
            /**
             * @description What the event type means.
             * @example A lead was created.
             */
            description: string;
            example: components["schemas"]["ApiEvent"];
        };
        /** @description All event types. */
        EventTypeListResponse: {
            /** @description The event types. */
            data: components["schemas"]["EventTypeDescription"][];
            /** @description The number of event types. */
            meta: {
                /**
                 * Format: int32
                 * @description The number of event types.
                 */
                total: number;
            };
        };
        /**
         * @description The event types to send. `*` alone means all types, including future ones.
         * @example [
         *       "lead.created",
         *       "lead.status_changed"
         *     ]
         */
        EventTypes: components["schemas"]["SubscribedEventType"][];
        /**
         * Format: date
         * @description The day on which you expect to win the lead.
         * @example 2027-01-31
         */
        ExpectedCloseOn: string | null;
        /**
         * @description The resource's id in your own system. No other resource of its kind may have the same.
         * @example crm-4711
         */
        ExternalId: string | null;
        /** @description Where to continue. */
        FeedMeta: {
            /**
             * @description Send this as `after` to get the next events, now or later. It is valid until an event after it is deleted.
             * @example NDE3
             */
            next_cursor: string;
            /**
             * @description `true` if you can get more events immediately.
             * @example false
             */
            has_more: boolean;
        };
        /**
         * @description The content that brought the lead.
         * @example content_01m7w4n5e0fj29y8hnfp12qb0m
         */
        FirstContentId: string | null;
        /** @description The value of the pipeline, and the chances to win it. */
        Forecast: {
            /** @description The statuses `new`, `contacted` and `qualified`. */
            win_rates: components["schemas"]["ForecastWinRate"][];
            /** @description The currencies in alphabetical order, and for each the periods in order: `overdue`, the months, `later`, `none`. */
            periods: components["schemas"]["ForecastPeriod"][];
        };
        /** @description The leads that you expect to win in a month, in one currency. */
        ForecastPeriod: {
            /**
             * @description `month`: the month in `month`. `overdue`: all months before the current one. `later`: all months after the last
             *     one that has a row. `none`: leads without `expected_close_on`.
             * @enum {string}
             */
            period: "overdue" | "month" | "later" | "none";
            /**
             * @description The year and the month. Null if `period` is not `month`.
             * @example 2026-12
             */
            month: string | null;
            /** @description The ISO 4217 code of the currency. */
            currency: string;
            /**
             * Format: int32
             * @description The number of leads.
             */
            leads: number;
            /** @description The exact sum of their values. */
            value: string;
            /**
             * @description The sum of their values, each multiplied by the `win_rate` of its status. Null if one of these `win_rate`s
             *     is null.
             */
            weighted_value: string | null;
            leads_url: components["schemas"]["LeadsUrl"];
        };
        /** @description The forecast. `from` and `to` of `meta` are the 365 days on which the win rates are based. */
        ForecastResponse: {
            data: components["schemas"]["Forecast"];
            meta: components["schemas"]["AnalyticsMeta"];
        };
        /** @description The chance to win a lead of this status. */
        ForecastWinRate: {
            /**
             * @description The status.
             * @enum {string}
             */
            status: "new" | "contacted" | "qualified";
            /**
             * Format: int32
             * @description Leads that are currently won or lost, became so in the last 365 days, and ever entered this status or a
             *     later one.
             */
            decided: number;
            /**
             * Format: int32
             * @description How many of them are won.
             */
            won: number;
            /** @description The share of won leads among them, with four decimals. Null if there are none. */
            win_rate: number | null;
            leads_url: components["schemas"]["LeadsUrl"];
        };
        /** @description How far the leads of the period progressed. */
        Funnel: {
            /** @description The stages `new`, `contacted`, `qualified` and `won`. */
            stages: components["schemas"]["FunnelStage"][];
            /**
             * Format: int32
             * @description Leads of the period that are currently lost.
             */
            lost: number;
            /**
             * Format: int32
             * @description Leads of the period that are currently neither won nor lost.
             */
            open: number;
        };
        /** @description The funnel. */
        FunnelResponse: {
            data: components["schemas"]["Funnel"];
            meta: components["schemas"]["AnalyticsMeta"];
        };
        /** @description The leads that reached this stage. */
        FunnelStage: {
            status: components["schemas"]["LeadStatus"];
            /**
             * Format: int32
             * @description Leads that ever entered this status or a later one.
             */
            reached: number;
            /** @description The share of these leads among all leads created in the period. Null if there are none. */
            share_of_cohort: number | null;
            /**
             * @description The share of these leads among those that reached the previous stage. Null for the first stage, and if no
             *     lead reached the previous one.
             */
            rate_from_previous: number | null;
            /**
             * Format: int32
             * @description The median time, in seconds, from first entering the previous stage. Null for the first stage, and if there
             *     are no such leads.
             */
            median_seconds_from_previous: number | null;
            leads_url: components["schemas"]["LeadsUrl"];
        };
        /**
         * @description The field of a column. Null ignores the column. You can leave columns out. Columns with the same field fill it
         *     in the order of the file: the first one that has a value wins.
         * @example {
         *       "E-mail": "email",
         *       "Notes": null
         *     }
         */
        GivenMapping: {
            [key: string]: string | null;
        };
        /**
         * @description The name of a field that only bots fill in, because the page hides it. If it is not empty, the sender gets the
         *     same answer, but the delivery is `skipped` and makes no lead.
         * @example website
         */
        Honeypot: string | null;
        /**
         * @description Which deliveries make leads. Null accepts every delivery.
         * @example {
         *       "path": "/event",
         *       "equals": "invitee.created"
         *     }
         */
        HookAcceptIf: {
            path: components["schemas"]["MappingPath"];
            /** @description A value at `path` is this text. */
            equals?: string;
            /** @description No value at `path` is this text. A missing value fulfils this. */
            not_equals?: string;
            /** @description A value at `path` is one of these texts. */
            in?: string[];
            /** @description Whether there must be a value at `path` that is not empty, or none. */
            exists?: boolean;
        } | null;
        /**
         * @description A path into the data, or an object with a `path` and a `default`, or with `join`.
         * @example /contact/email
         */
        HookMappingPart: string | {
            path?: components["schemas"]["MappingPath"];
            /** @description The text to use if `path` finds nothing. */
            default?: string;
            /** @description The paths to the parts of a text. Parts that are missing are left out. */
            join?: components["schemas"]["MappingPath"][];
            /** @description The text between the parts of `join`. A space if you leave it out. */
            with?: string;
        };
        /**
         * @description Where a field is in the data.
         * @example [
         *       "/contact/email",
         *       "/email"
         *     ]
         */
        HookMappingRule: string | components["schemas"]["HookMappingPart"][] | {
            path?: components["schemas"]["MappingPath"];
            /** @description The text to use if `path` finds nothing. */
            default?: string;
            /** @description The paths to the parts of a text. Parts that are missing are left out. */
            join?: components["schemas"]["MappingPath"][];
            /** @description The text between the parts of `join`. A space if you leave it out. */
            with?: string;
        };
        /**
         * @description The name of the hook.
         * @example Contact form
         */
        HookName: string;
        /**
         * @description The user to whom new leads are assigned. The user must be active: an inactive user gets no new leads.
         * @example user_01m7w4n5e0eymtkc82hvhg0xb9
         */
        HookUserId: string | null;
        /**
         * @description Translates the sender's words, by field: a text becomes another one, or sets several fields. Case and spaces
         *     around the text don't matter. At most 8 KiB of JSON. A change replaces all translations.
         * @example {
         *       "source": {
         *         "Trade show": {
         *           "source": "referral",
         *           "source_detail": "Trade show"
         *         }
         *       },
         *       "status": {
         *         "Open - Not Contacted": "new"
         *       }
         *     }
         */
        HookValues: {
            [key: string]: {
                [key: string]: string | {
                    [key: string]: string;
                };
            };
        };
        /** @description An import of leads or contacts. Every field is always present. */
        Import: {
            /**
             * @description The id of the import.
             * @example import_01m7w4n5e0fpd8q2tn6s3k9vcx
             */
            id: string;
            status: components["schemas"]["ImportStatus"];
            resource: components["schemas"]["ImportResource"];
            /**
             * @description The format of the file. Null until the draft has a file.
             * @enum {string|null}
             */
            format: "csv" | "ndjson" | "xlsx" | "vcard" | null;
            match: components["schemas"]["ImportMatch"];
            on_duplicate: components["schemas"]["ImportOnDuplicate"];
            /** @description Whether this is a dry run. */
            dry_run: boolean;
            create_users: components["schemas"]["ImportCreateUsers"];
            /**
             * @description The names of the columns, in the order of the file.
             * @example [
             *       "Full name",
             *       "E-mail",
             *       "Phone number",
             *       "Tags"
             *     ]
             */
            columns: string[];
            mapping: components["schemas"]["ImportMapping"];
            defaults: components["schemas"]["ImportDefaults"];
            values: components["schemas"]["ImportValues"];
            /**
             * @description The language of dates and amounts in the file.
             * @example de-DE
             */
            locale: string | null;
            /**
             * @description The country of phone numbers without a country code.
             * @example DE
             */
            default_country: string | null;
            /**
             * @description The encoding of the file, as you have sent it or as the service has recognized it.
             * @example windows-1252
             */
            charset: string | null;
            /**
             * @description The sheet of a workbook.
             * @example Leads
             */
            sheet: string | null;
            /** @description The columns that no field is filled from, in the order of the file. */
            unused_columns: components["schemas"]["UnusedColumn"][];
            /**
             * @description What is noteworthy about the file, such as its encoding, skipped lines and rows that can't be read. For
             *     warnings about values, see `GET /imports/{id}/errors`.
             */
            warnings: components["schemas"]["ImportRemark"][];
            /**
             * @description What to look at before the import starts: a draft waits for its file, or the mapping may be wrong. When you
             *     have looked, start it with `POST /imports/{id}/start`.
             */
            doubts: components["schemas"]["ImportRemark"][];
            /**
             * Format: int32
             * @description The number of rows in the file. Empty rows don't count.
             */
            rows_total: number;
            /**
             * Format: int32
             * @description The number of processed rows.
             */
            rows_done: number;
            counts: components["schemas"]["ImportCounts"];
            /** @description Why rows have failed, by their first error. The most frequent reason comes first. */
            failures: components["schemas"]["ImportFailure"][];
            /**
             * Format: date-time
             * @description When the first row was imported.
             * @example 2026-11-20T09:30:01.000Z
             */
            started_at: string | null;
            /**
             * Format: date-time
             * @description When the import completed, failed or was cancelled.
             * @example 2026-11-20T09:30:01.200Z
             */
            finished_at: string | null;
            /**
             * @description Why the import failed. Null if it has not failed.
             * @example The other rows of this file are lost. Send the file again to import them.
             */
            failure_reason: string | null;
            created_at: components["schemas"]["CreatedAt"];
            updated_at: components["schemas"]["UpdatedAt"];
            version: components["schemas"]["Version"];
        };
        /** @description The results so far. For a dry run, what the results would be. */
        ImportCounts: {
            /**
             * Format: int32
             * @description New leads or contacts.
             */
            created: number;
            /**
             * Format: int32
             * @description Changed leads or contacts.
             */
            updated: number;
            /**
             * Format: int32
             * @description Rows that matched an existing record and changed nothing.
             */
            unchanged: number;
            /**
             * Format: int32
             * @description Rows with errors.
             */
            failed: number;
            /**
             * Format: int32
             * @description Rows that were imported without some of their values. They are also among the others.
             */
            warned: number;
        };
        /**
         * @description Whether users whom rows name by `assigned_user_email` or `author_user_email`, and who don't exist, are created as
         *     inactive users. Needs the scope `users:write` or `admin`.
         * @example true
         */
        ImportCreateUsers: boolean;
        /**
         * @description The value of a field for rows without one, written as in a cell. A default `value.currency` applies only to rows
         *     with an amount.
         * @example {
         *       "source": "referral"
         *     }
         */
        ImportDefaults: {
            [key: string]: string;
        };
        /** @description An error or a warning about a row. Every field is always present. */
        ImportError: {
            /**
             * Format: int32
             * @description The row number, as in a spreadsheet. In CSV, the header line is row 1. In NDJSON, it is the line number.
             * @example 17
             */
            row: number;
            severity: components["schemas"]["ImportSeverity"];
            /**
             * @description The column. Null if the value comes from no column.
             * @example E-mail
             */
            column: string | null;
            /**
             * @description The field, as in the `errors` of a single request. Null if the error is about the whole row.
             * @example email
             */
            field: string | null;
            /**
             * @description The code that a single request would return. New codes may be added.
             * @example validation_failed
             */
            code: string;
            /**
             * @description What is wrong with the value.
             * @example must be an email address such as ada@example.com
             */
            message: string;
        };
        /** @description A page of the errors of an import. */
        ImportErrorListResponse: {
            /** @description The errors on this page. */
            data: components["schemas"]["ImportError"][];
            meta: components["schemas"]["ListMeta"];
        };
        /**
         * @description A field to sort by. A leading `-` means descending.
         * @default row
         * @enum {string}
         */
        ImportErrorOrder: "row" | "-row";
        /** @description A reason why rows have failed. */
        ImportFailure: {
            /**
             * @description The code of the rows' first error. New codes may be added.
             * @example validation_failed
             */
            code: string;
            /**
             * @description The field of that error. Null if it is about the whole row.
             * @example email
             */
            field: string | null;
            /**
             * Format: int32
             * @description The number of these rows.
             */
            rows: number;
        };
        /** @description A page of imports. */
        ImportListResponse: {
            /** @description The imports on this page. */
            data: components["schemas"]["Import"][];
            meta: components["schemas"]["ListMeta"];
        };
        /**
         * @description The field of each column. Null ignores the column. It can be any field that you can set when you create a lead
         *     or contact, a key inside one, such as `metadata.plan` or `value.amount`, a part of a name (`name.prefix`,
         *     `name.first`, `name.middle`, `name.last`), or `note`. Of several columns with the same field, the first that is
         *     filled counts.
         * @example {
         *       "E-mail": "email",
         *       "Notes": null
         *     }
         */
        ImportMapping: {
            [key: string]: string | null;
        };
        /**
         * @description The field that matches a row with an existing record: `email` or `external_id` for leads, contacts and
         *     users, `slug` for content, and `external_id` for notes.
         * @enum {string}
         */
        ImportMatch: "email" | "external_id" | "slug";
        /**
         * @description What to do with the file.
         * @default import
         * @enum {string}
         */
        ImportMode: "import" | "try";
        /**
         * @description What happens to a row that matches an existing lead or contact. `reject`: the row fails. `ignore`: the existing
         *     one stays as it is. `merge`: the row fills its empty fields and adds tags and metadata, but overwrites no value.
         *     `update`: the row changes its fields, like `PATCH`.
         * @enum {string}
         */
        ImportOnDuplicate: "merge" | "update" | "ignore" | "reject";
        /**
         * @description A field to sort by. A leading `-` means descending.
         * @default -created_at
         * @enum {string}
         */
        ImportOrder: "created_at" | "-created_at";
        /**
         * @description What became of a row. `created`, `updated` and `unchanged` name the lead, contact, and so on. A `failed` row has errors.
         * @enum {string}
         */
        ImportOutcome: "created" | "updated" | "unchanged" | "failed";
        /** @description Something to know about the file or its mapping. */
        ImportRemark: {
            /**
             * @description The kind of remark. New codes may be added.
             * @example encoding
             */
            code: string;
            /**
             * @description The column that it is about.
             * @example null
             */
            column: string | null;
            /**
             * Format: int32
             * @description The row that it is about, as in a spreadsheet.
             * @example null
             */
            row: number | null;
            /**
             * @description The remark, for a person.
             * @example The file is not in UTF-8. It was read as windows-1252.
             */
            message: string;
        };
        /**
         * @description The resource of the rows.
         * @enum {string}
         */
        ImportResource: "leads" | "contacts" | "users" | "content" | "notes";
        /** @description An import. */
        ImportResponse: {
            data: components["schemas"]["Import"];
        };
        /** @description What became of a row. Every field is always present. */
        ImportRow: {
            /**
             * Format: int32
             * @description The row number, as in a spreadsheet.
             * @example 2
             */
            row: number;
            outcome: components["schemas"]["ImportOutcome"];
            /**
             * @description The id of the lead, contact, and so on. Null if the row failed, and in a dry run.
             * @example lead_01m7w4n5e0e3tajy9kep34bze2
             */
            id: string | null;
        };
        /** @description A page of the rows of an import. */
        ImportRowListResponse: {
            /** @description The rows on this page. */
            data: components["schemas"]["ImportRow"][];
            meta: components["schemas"]["ListMeta"];
        };
        /**
         * @description A field to sort by. A leading `-` means descending.
         * @default row
         * @enum {string}
         */
        ImportRowOrder: "row" | "-row";
        /**
         * @description `error`: the row has failed. `warning`: the row was imported without this value.
         * @enum {string}
         */
        ImportSeverity: "error" | "warning";
        /**
         * @description An import is a `draft` until you start it, `queued` until its turn, `running`, and then `completed`, even if
         *     rows failed. `cancelled` means that you cancelled it. `failed` means that the service could not continue;
         *     `failure_reason` says why.
         * @enum {string}
         */
        ImportStatus: "draft" | "queued" | "running" | "completed" | "cancelled" | "failed";
        /**
         * @description Translations of what the file says, by field: a text, or an object with several fields. Case and spaces around
         *     the text don't matter.
         * @example {
         *       "source": {
         *         "Trade show": {
         *           "source": "referral",
         *           "source_detail": "Trade show"
         *         }
         *       },
         *       "status": {
         *         "Open - Not Contacted": "new"
         *       }
         *     }
         */
        ImportValues: {
            [key: string]: {
                [key: string]: string | {
                    [key: string]: string | null;
                } | null;
            };
        };
        /** @description Data that a hook has received. Every field is always present. Empty fields are null. */
        InboundDelivery: {
            /**
             * @description The id of the delivery. The service generates it.
             * @example delivery_01m7w4n5e0ea9bcm473x5b9fx3
             */
            id: string;
            /**
             * @description The hook that received it.
             * @example hook_01m7w4n5e0fwbtrs2p7d9k4x6v
             */
            hook_id: string;
            status: components["schemas"]["InboundDeliveryStatus"];
            /**
             * @description The lead that was created or merged, or that already existed. It may have been deleted since.
             * @example lead_01m7w4n5e0e3tajy9kep34bze2
             */
            lead_id: string | null;
            errors: components["schemas"]["InboundErrors"];
            warnings: components["schemas"]["InboundWarnings"];
            created_at: components["schemas"]["CreatedAt"];
            updated_at: components["schemas"]["UpdatedAt"];
            version: components["schemas"]["Version"];
        };
        /** @description A delivery, with the data that the hook received. */
        InboundDeliveryDetail: {
            /**
             * @description The id of the delivery. The service generates it.
             * @example delivery_01m7w4n5e0ea9bcm473x5b9fx3
             */
            id: string;
            /**
             * @description The hook that received it.
             * @example hook_01m7w4n5e0fwbtrs2p7d9k4x6v
             */
            hook_id: string;
            status: components["schemas"]["InboundDeliveryStatus"];
            /**
             * @description The lead that was created or merged, or that already existed. It may have been deleted since.
             * @example lead_01m7w4n5e0e3tajy9kep34bze2
             */
            lead_id: string | null;
            errors: components["schemas"]["InboundErrors"];
            warnings: components["schemas"]["InboundWarnings"];
            created_at: components["schemas"]["CreatedAt"];
            updated_at: components["schemas"]["UpdatedAt"];
            version: components["schemas"]["Version"];
            /**
             * @description The data, with a form as an object. Null if it was erased together with personal data, or deleted to free
             *     space.
             * @example {
             *       "name": "Ada Lovelace",
             *       "email": "ada@example.com"
             *     }
             */
            payload: {
                [key: string]: unknown;
            } | null;
        };
        /** @description A single delivery, with its data. */
        InboundDeliveryDetailResponse: {
            data: components["schemas"]["InboundDeliveryDetail"];
        };
        /** @description A page of deliveries. */
        InboundDeliveryListResponse: {
            /** @description The deliveries on this page. */
            data: components["schemas"]["InboundDelivery"][];
            meta: components["schemas"]["ListMeta"];
        };
        /** @description A single delivery. */
        InboundDeliveryResponse: {
            data: components["schemas"]["InboundDelivery"];
        };
        /**
         * @description What happened to the delivery. `created`: there is a new lead. `merged` or `ignored`: a lead with this email
         *     address existed. `rejected`: the data does not make a valid lead. `skipped`: the data does not fulfil the hook's
         *     `accept_if`, so it made no lead.
         * @enum {string}
         */
        InboundDeliveryStatus: "created" | "merged" | "ignored" | "rejected" | "skipped";
        /**
         * @description The messages for each invalid field if the delivery was rejected, as in `POST /leads`, with at most 16 KiB of
         *     JSON. Otherwise null.
         * @example {
         *       "email": [
         *         "must be an email address"
         *       ]
         *     }
         */
        InboundErrors: {
            [key: string]: string[];
        } | null;
        /** @description A URL that turns another system's data into leads. Every field is always present. Empty fields are null. */
        InboundHook: {
            /**
             * @description The id of the hook. The service generates it.
             * @example hook_01m7w4n5e0fwbtrs2p7d9k4x6v
             */
            id: string;
            /**
             * @description The name of the hook.
             * @example Contact form
             */
            name: string;
            status: components["schemas"]["InboundHookStatus"];
            lead_source: components["schemas"]["LeadSource"];
            /**
             * @description The tags that every lead gets.
             * @example [
             *       "form"
             *     ]
             */
            default_tags: string[];
            /**
             * @description The user to whom new leads are assigned.
             * @example user_01m7w4n5e0eymtkc82hvhg0xb9
             */
            assigned_user_id: string | null;
            /**
             * @description The content that new leads refer to.
             * @example content_01m7w4n5e0fj29y8hnfp12qb0m
             */
            content_id: string | null;
            /**
             * @description Where to find each field of a lead in the data.
             * @example {
             *       "name": "/name",
             *       "email": "/email",
             *       "metadata.form": "/form_id"
             *     }
             */
            mapping: {
                [key: string]: components["schemas"]["HookMappingRule"];
            };
            verification: components["schemas"]["Verification"];
            on_duplicate: components["schemas"]["OnDuplicate"];
            /**
             * Format: uri
             * @description Where a browser goes after it has sent a form. Null for a plain page that thanks.
             * @example https://www.example.com/thanks
             */
            redirect_url: string | null;
            /**
             * @description The name of a field that only bots fill in.
             * @example website
             */
            honeypot: string | null;
            /**
             * @description The origins whose pages may send data. Empty for any.
             * @example [
             *       "https://www.example.com"
             *     ]
             */
            allowed_origins: string[];
            /**
             * @description The country of phone numbers without a country code (ISO 3166-1 alpha-2).
             * @example DE
             */
            default_country: string | null;
            /**
             * @description The language and region that decide how amounts and dates are read (BCP 47).
             * @example de-DE
             */
            locale: string | null;
            values: components["schemas"]["HookValues"];
            accept_if: components["schemas"]["HookAcceptIf"];
            created_at: components["schemas"]["CreatedAt"];
            updated_at: components["schemas"]["UpdatedAt"];
            version: components["schemas"]["Version"];
        };
        /** @description A page of inbound hooks. */
        InboundHookListResponse: {
            /** @description The hooks on this page. */
            data: components["schemas"]["InboundHook"][];
            meta: components["schemas"]["ListMeta"];
        };
        /**
         * @description A field to sort by. A leading `-` means descending.
         * @default -created_at
         * @enum {string}
         */
        InboundHookOrder: "created_at" | "-created_at" | "updated_at" | "-updated_at" | "name" | "-name";
        /** @description A single inbound hook. */
        InboundHookResponse: {
            data: components["schemas"]["InboundHook"];
        };
        /**
         * @description Whether the hook accepts data. Senders to a `paused` hook get a 404.
         * @enum {string}
         */
        InboundHookStatus: "enabled" | "paused";
        /** @description An inbound hook and its URL. */
        InboundHookWithUrl: {
            /**
             * @description The id of the hook. The service generates it.
             * @example hook_01m7w4n5e0fwbtrs2p7d9k4x6v
             */
            id: string;
            /**
             * @description The name of the hook.
             * @example Contact form
             */
            name: string;
            status: components["schemas"]["InboundHookStatus"];
            lead_source: components["schemas"]["LeadSource"];
            /**
             * @description The tags that every lead gets.
             * @example [
             *       "form"
             *     ]
             */
            default_tags: string[];
            /**
             * @description The user to whom new leads are assigned.
             * @example user_01m7w4n5e0eymtkc82hvhg0xb9
             */
            assigned_user_id: string | null;
            /**
             * @description The content that new leads refer to.
             * @example content_01m7w4n5e0fj29y8hnfp12qb0m
             */
            content_id: string | null;
            /**
             * @description Where to find each field of a lead in the data.
             * @example {
             *       "name": "/name",
             *       "email": "/email",
             *       "metadata.form": "/form_id"
             *     }
             */
            mapping: {
                [key: string]: components["schemas"]["HookMappingRule"];
            };
            verification: components["schemas"]["Verification"];
            on_duplicate: components["schemas"]["OnDuplicate"];
            /**
             * Format: uri
             * @description Where a browser goes after it has sent a form. Null for a plain page that thanks.
             * @example https://www.example.com/thanks
             */
            redirect_url: string | null;
            /**
             * @description The name of a field that only bots fill in.
             * @example website
             */
            honeypot: string | null;
            /**
             * @description The origins whose pages may send data. Empty for any.
             * @example [
             *       "https://www.example.com"
             *     ]
             */
            allowed_origins: string[];
            /**
             * @description The country of phone numbers without a country code (ISO 3166-1 alpha-2).
             * @example DE
             */
            default_country: string | null;
            /**
             * @description The language and region that decide how amounts and dates are read (BCP 47).
             * @example de-DE
             */
            locale: string | null;
            values: components["schemas"]["HookValues"];
            accept_if: components["schemas"]["HookAcceptIf"];
            created_at: components["schemas"]["CreatedAt"];
            updated_at: components["schemas"]["UpdatedAt"];
            version: components["schemas"]["Version"];
            /**
             * @description The URL that receives data. Anyone who knows it can send leads. The service does not show it again.
             * @example https://api.example.com/v1/hooks/lph_live_2vXhQ0bJ8mTn4kRz7yWc1sLd6gPf9aUe3iOoBxVqKtM
             */
            url: string;
        };
        /** @description A single inbound hook and its address. */
        InboundHookWithUrlResponse: {
            data: components["schemas"]["InboundHookWithUrl"];
        };
        /**
         * @description The data of the other system.
         * @example {
         *       "name": "Ada Lovelace",
         *       "email": "ada@example.com"
         *     }
         */
        InboundPayload: {
            [key: string]: unknown;
        };
        /** @description What would happen to the payload. */
        InboundPreview: {
            status: components["schemas"]["InboundDeliveryStatus"];
            lead: components["schemas"]["MappedLead"];
            /**
             * @description The text of the note about the lead. Null if there would be none.
             * @example Please call me back.
             */
            note: string | null;
            errors: components["schemas"]["InboundErrors"];
            warnings: components["schemas"]["InboundWarnings"];
        };
        /** @description What would happen to the payload. */
        InboundPreviewResponse: {
            data: components["schemas"]["InboundPreview"];
        };
        /** @description What happened to the data. */
        InboundReceipt: {
            /**
             * @description The id of the delivery. For a `duplicate`, the id of the first delivery.
             * @example delivery_01m7w4n5e0ea9bcm473x5b9fx3
             */
            delivery_id: string;
            /**
             * @description What happened to the data.
             * @enum {string}
             */
            status: "created" | "merged" | "ignored" | "rejected" | "skipped" | "duplicate";
        };
        /** @description What happened to the data. */
        InboundReceiptResponse: {
            data: components["schemas"]["InboundReceipt"];
        };
        /** @description The inbound hook, and why it rejected the delivery. */
        InboundRejectedData: {
            /** @description The hook and the rejected delivery. */
            object: {
                /** @description The id of the inbound hook. */
                id: string;
                /** @description The name of the hook. */
                name: string;
                /** @description The id of the delivery. You can replay it after you have corrected the mapping. */
                delivery_id: string;
                /** @description The messages for each invalid field of the lead. */
                errors: {
                    [key: string]: string[];
                };
            };
            changes: components["schemas"]["NoChanges"];
        };
        /** @description An inbound hook rejected a delivery. */
        InboundRejectedEvent: {
            /**
             * @description What happened. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "inbound.rejected";
            id: components["schemas"]["EventId"];
            occurred_at: components["schemas"]["OccurredAt"];
            environment: components["schemas"]["Environment"];
            request_id: components["schemas"]["EventRequestId"];
            actor: components["schemas"]["Actor"];
            data: components["schemas"]["InboundRejectedData"];
        };
        /**
         * @description What was left out of the lead or read differently, and why. The note about the lead has the text that was left
         *     out.
         * @example [
         *       {
         *         "field": "phone",
         *         "message": "This is not a valid phone number."
         *       }
         *     ]
         */
        InboundWarnings: {
            /**
             * @description The field of the lead, such as `phone` or `metadata.plan`.
             * @example phone
             */
            field: string;
            /**
             * @description What was wrong with it.
             * @example This is not a valid phone number.
             */
            message: string;
        }[];
        /**
         * Format: instant-or-date
         * @description An RFC 3339 instant or a date, in the years 0001 to 9999. A date means that whole day in UTC. In a query, `+`
         *     means a space, so write the plus of an offset as `%2B`.
         * @example 2026-11-20T09:30:00.000Z
         * @example 2026-11-20
         */
        InstantOrDate: string;
        /**
         * @description The job title.
         * @example Head of Engineering
         */
        JobTitle: string | null;
        /** @description A public key (RFC 7517, RFC 8037). */
        Jwk: {
            /**
             * @description The key type.
             * @enum {string}
             */
            kty: "OKP";
            /**
             * @description The curve.
             * @enum {string}
             */
            crv: "Ed25519";
            /** @description The public key, in base64url. */
            x: string;
            /** @description The key's id. A token's header names it. */
            kid: string;
            /**
             * @description The algorithm.
             * @enum {string}
             */
            alg: "EdDSA";
            /**
             * @description The purpose of the key.
             * @enum {string}
             */
            use: "sig";
        };
        /** @description A JSON Web Key Set (RFC 7517). */
        Jwks: {
            /** @description The public keys. The current one comes first. */
            keys: components["schemas"]["Jwk"][];
        };
        /**
         * @description The language as a BCP 47 tag, such as `en` or `pt-BR`.
         * @example en
         */
        Language: string;
        /** @description A lead. Every field is always present. Empty fields are null. */
        Lead: {
            /**
             * @description The id of the lead. The service generates it.
             * @example lead_01m7w4n5e0e3tajy9kep34bze2
             */
            id: string;
            /**
             * @description The full name.
             * @example Ada Lovelace
             */
            name: string;
            /**
             * Format: email
             * @description The email address. No other lead has it, ignoring case.
             * @example ada@example.com
             */
            email: string;
            /**
             * @description The phone number in E.164 format, such as `+4915112345678`.
             * @example +4915112345678
             */
            phone: string | null;
            status: components["schemas"]["LeadStatus"];
            source: components["schemas"]["LeadSource"];
            /**
             * @description More about the source, such as the trade show or the campaign.
             * @example Trade show Berlin
             */
            source_detail: string | null;
            /**
             * @description The company or organisation.
             * @example Analytical Engines
             */
            company: string | null;
            /**
             * @description Your tags.
             * @example [
             *       "vip"
             *     ]
             */
            tags: string[];
            /**
             * @description The user to whom the lead is assigned.
             * @example user_01m7w4n5e0eymtkc82hvhg0xb9
             */
            assigned_user_id: string | null;
            /**
             * @description The content that brought the lead.
             * @example content_01m7w4n5e0fj29y8hnfp12qb0m
             */
            content_id: string | null;
            /**
             * @description The contact that the lead was converted to.
             * @example contact_01m7w4n5e0fymt8j463c8gepsz
             */
            contact_id: string | null;
            /**
             * @description The id of the lead in your own system. No other lead has it.
             * @example crm-4711
             */
            external_id: string | null;
            /**
             * @description Why the lead was lost. Only leads with the status `lost` have a reason.
             * @example No budget this year
             */
            lost_reason: string | null;
            value: components["schemas"]["LeadValue"];
            /**
             * Format: date
             * @description The day on which you expect to win the lead.
             * @example 2027-01-31
             */
            expected_close_on: string | null;
            /**
             * @description Your own texts, by name.
             * @example {
             *       "plan": "enterprise"
             *     }
             */
            metadata: {
                [key: string]: string;
            };
            /**
             * Format: date-time
             * @description When the lead entered its current status.
             * @example 2026-11-20T09:30:00.000Z
             */
            status_changed_at: string;
            /**
             * Format: date-time
             * @description When the lead first entered `contacted` or a later status (`qualified` or `won`).
             * @example 2026-11-22T08:00:00.125Z
             */
            first_contacted_at: string | null;
            /**
             * Format: date-time
             * @description When the lead first entered `qualified` or the later status `won`.
             * @example 2026-11-24T15:05:12.480Z
             */
            first_qualified_at: string | null;
            /**
             * Format: date-time
             * @description When the lead first entered `won`.
             * @example 2026-11-24T15:05:12.480Z
             */
            first_won_at: string | null;
            /**
             * Format: date-time
             * @description When the lead first entered `lost`.
             * @example 2026-11-24T15:05:12.480Z
             */
            first_lost_at: string | null;
            created_at: components["schemas"]["CreatedAt"];
            updated_at: components["schemas"]["UpdatedAt"];
            version: components["schemas"]["Version"];
        };
        /** @description A lead was assigned to another user, or to nobody. */
        LeadAssignedEvent: {
            /**
             * @description What happened. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "lead.assigned";
            id: components["schemas"]["EventId"];
            occurred_at: components["schemas"]["OccurredAt"];
            environment: components["schemas"]["Environment"];
            request_id: components["schemas"]["EventRequestId"];
            actor: components["schemas"]["Actor"];
            data: components["schemas"]["LeadEventData"];
        };
        /**
         * @description What happened to an item. A failed item has the `code`, `message` and `errors` of a request with this item
         *     alone.
         */
        LeadBatchItem: {
            index: components["schemas"]["BatchIndex"];
            status: components["schemas"]["BatchStatus"];
            /** @description The id of the lead. Missing if there is none. */
            id?: string;
            /**
             * @description The lead after the change. Missing if the item failed, if the lead already existed and your scopes don't let
             *     you read leads, or once the response holds 4 MiB of leads.
             */
            lead?: components["schemas"]["Lead"];
            /** @description What went wrong, as a name for programs. See `ApiError`. */
            code?: string;
            /** @description What went wrong, in a sentence for people. */
            message?: string;
            /** @description The messages for each invalid field of the item. Missing once the response holds 4 MiB. */
            errors?: {
                [key: string]: string[];
            };
            /** @description The lead that already has this value. Missing if your scopes don't let you read it. */
            existing_id?: string;
        };
        /** @description What happened to each item. */
        LeadBatchResponse: {
            /** @description A result for each item, in the same order. */
            data: components["schemas"]["LeadBatchItem"][];
            meta: components["schemas"]["BatchMeta"];
        };
        /** @description The fields of the lead that changed, without `updated_at` and `version`. Empty for a new lead. */
        LeadChanges: {
            name?: components["schemas"]["TextChange"];
            email?: components["schemas"]["TextChange"];
            phone?: components["schemas"]["NullableTextChange"];
            status?: components["schemas"]["LeadStatusChange"];
            source?: components["schemas"]["LeadSourceChange"];
            source_detail?: components["schemas"]["NullableTextChange"];
            company?: components["schemas"]["NullableTextChange"];
            tags?: components["schemas"]["TagsChange"];
            tags_sha256?: components["schemas"]["DigestChange"];
            assigned_user_id?: components["schemas"]["NullableTextChange"];
            content_id?: components["schemas"]["NullableTextChange"];
            contact_id?: components["schemas"]["NullableTextChange"];
            external_id?: components["schemas"]["NullableTextChange"];
            lost_reason?: components["schemas"]["NullableTextChange"];
            value?: components["schemas"]["LeadValueChange"];
            expected_close_on?: components["schemas"]["NullableTextChange"];
            metadata?: components["schemas"]["MetadataChange"];
            metadata_sha256?: components["schemas"]["DigestChange"];
            status_changed_at?: components["schemas"]["TextChange"];
            first_contacted_at?: components["schemas"]["NullableTextChange"];
            first_qualified_at?: components["schemas"]["NullableTextChange"];
            first_won_at?: components["schemas"]["NullableTextChange"];
            first_lost_at?: components["schemas"]["NullableTextChange"];
        };
        /** @description A lead was converted to a contact. */
        LeadConvertedEvent: {
            /**
             * @description What happened. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "lead.converted";
            id: components["schemas"]["EventId"];
            occurred_at: components["schemas"]["OccurredAt"];
            environment: components["schemas"]["Environment"];
            request_id: components["schemas"]["EventRequestId"];
            actor: components["schemas"]["Actor"];
            data: components["schemas"]["LeadEventData"];
        };
        /** @description A lead was created. */
        LeadCreatedEvent: {
            /**
             * @description What happened. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "lead.created";
            id: components["schemas"]["EventId"];
            occurred_at: components["schemas"]["OccurredAt"];
            environment: components["schemas"]["Environment"];
            request_id: components["schemas"]["EventRequestId"];
            actor: components["schemas"]["Actor"];
            data: components["schemas"]["LeadEventData"];
        };
        /** @description A lead was deleted. */
        LeadDeletedEvent: {
            /**
             * @description What happened. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "lead.deleted";
            id: components["schemas"]["EventId"];
            occurred_at: components["schemas"]["OccurredAt"];
            environment: components["schemas"]["Environment"];
            request_id: components["schemas"]["EventRequestId"];
            actor: components["schemas"]["Actor"];
            data: components["schemas"]["DeletedLeadData"];
        };
        /** @description A known person enquired again. */
        LeadEnquiredEvent: {
            /**
             * @description What happened. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "lead.enquired";
            id: components["schemas"]["EventId"];
            occurred_at: components["schemas"]["OccurredAt"];
            environment: components["schemas"]["Environment"];
            request_id: components["schemas"]["EventRequestId"];
            actor: components["schemas"]["Actor"];
            data: components["schemas"]["LeadEventData"];
        };
        /** @description The lead after the change, and what changed. */
        LeadEventData: {
            object: components["schemas"]["Lead"];
            changes: components["schemas"]["LeadChanges"];
        };
        /** @description A page of leads. */
        LeadListResponse: {
            /** @description The leads on this page. */
            data: components["schemas"]["Lead"][];
            meta: components["schemas"]["ListMeta"];
        };
        /**
         * @description A field to sort by. A leading `-` means descending.
         * @default -created_at
         * @enum {string}
         */
        LeadOrder: "created_at" | "-created_at" | "updated_at" | "-updated_at" | "status_changed_at" | "-status_changed_at" | "name" | "-name" | "expected_close_on" | "-expected_close_on";
        /** @description A change of a lead. */
        LeadPatch: {
            /** @description The id of the lead. */
            id: string;
            /**
             * Format: int32
             * @description The version that you read. If the lead has another one, the item fails.
             */
            version?: number;
            patch: components["schemas"]["UpdateLead"];
        };
        /** @description A single lead. */
        LeadResponse: {
            data: components["schemas"]["Lead"];
        };
        /**
         * @description Where the lead came from.
         * @enum {string}
         */
        LeadSource: "api" | "website" | "referral" | "manual";
        /** @description The change of the source. */
        LeadSourceChange: {
            /** @description The value before the change. */
            from: components["schemas"]["LeadSource"];
            /** @description The value after the change. */
            to: components["schemas"]["LeadSource"];
        };
        /**
         * @description The status of the lead in the pipeline.
         * @enum {string}
         */
        LeadStatus: "new" | "contacted" | "qualified" | "won" | "lost";
        /** @description The change of a status. */
        LeadStatusChange: {
            /** @description The value before the change. */
            from: components["schemas"]["LeadStatus"];
            /** @description The value after the change. */
            to: components["schemas"]["LeadStatus"];
        };
        /** @description A lead changed its status. */
        LeadStatusChangedEvent: {
            /**
             * @description What happened. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "lead.status_changed";
            id: components["schemas"]["EventId"];
            occurred_at: components["schemas"]["OccurredAt"];
            environment: components["schemas"]["Environment"];
            request_id: components["schemas"]["EventRequestId"];
            actor: components["schemas"]["Actor"];
            data: components["schemas"]["LeadEventData"];
        };
        /** @description How many leads have a value in one currency, and its sum. */
        LeadSum: {
            /**
             * Format: int32
             * @description The number of leads.
             */
            leads: number;
            /**
             * @description The exact sum of their values.
             * @example 70000.00
             */
            amount: string;
            leads_url: components["schemas"]["LeadsUrl"];
        };
        /** @description The figures of the leads created in a period. */
        LeadSummary: {
            /**
             * Format: int32
             * @description Leads created in the period.
             */
            leads_created: number;
            /**
             * Format: int32
             * @description How many of them are currently neither won nor lost.
             */
            open: number;
            /**
             * Format: int32
             * @description How many of them are currently won.
             */
            won: number;
            /**
             * Format: int32
             * @description How many of them are currently lost.
             */
            lost: number;
            /**
             * @description The share of won leads among the leads that are currently won or lost, with four decimals. Null if there are
             *     none.
             */
            win_rate: number | null;
            /**
             * Format: int32
             * @description The median time, in seconds, until a lead first entered `contacted` or a later status. Null if none did.
             */
            median_seconds_to_first_contact: number | null;
            /**
             * Format: int32
             * @description The median time, in seconds, until a lead that is currently won or lost entered that status. Null if there
             *     are none.
             */
            median_seconds_to_close: number | null;
            by_status: components["schemas"]["StatusCounts"];
            /**
             * @description What these leads are worth, in each currency that they have, in alphabetical order. Empty if none of them has
             *     a value.
             */
            value: components["schemas"]["RowValue"][];
            leads_url: components["schemas"]["LeadsUrl"];
            previous: components["schemas"]["SummaryPeriod"];
        };
        /** @description A lead was updated. */
        LeadUpdatedEvent: {
            /**
             * @description What happened. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "lead.updated";
            id: components["schemas"]["EventId"];
            occurred_at: components["schemas"]["OccurredAt"];
            environment: components["schemas"]["Environment"];
            request_id: components["schemas"]["EventRequestId"];
            actor: components["schemas"]["Actor"];
            data: components["schemas"]["LeadEventData"];
        };
        /**
         * @description What the lead is worth if you win it. Null if you don't know.
         * @example {
         *       "amount": "1250.00",
         *       "currency": "EUR"
         *     }
         */
        LeadValue: {
            /**
             * @description The exact amount, with all decimals that its currency has in ISO 4217.
             * @example 1250.00
             */
            amount: string;
            /**
             * @description The ISO 4217 code of the currency.
             * @example EUR
             */
            currency: string;
        } | null;
        /** @description The change of the value of a lead. Null means empty. */
        LeadValueChange: {
            /** @description The value before the change. */
            from: components["schemas"]["LeadValue"];
            /** @description The value after the change. */
            to: components["schemas"]["LeadValue"];
        };
        /**
         * @description What the lead is worth if you win it.
         * @example {
         *       "amount": "1250.00",
         *       "currency": "EUR"
         *     }
         */
        LeadValueInput: {
            amount: components["schemas"]["Amount"];
            currency: components["schemas"]["Currency"];
        } | null;
        /**
         * @description What the lead is worth if you win it. If you leave out `amount` or `currency`, the lead keeps its own. Null
         *     clears both.
         * @example {
         *       "amount": "1250.00",
         *       "currency": "EUR"
         *     }
         */
        LeadValuePatch: {
            amount?: components["schemas"]["Amount"];
            currency?: components["schemas"]["Currency"];
        } | null;
        /**
         * Format: uri
         * @description The URL of the list of leads that this row counts. Its `meta.total` equals the row's main number.
         */
        LeadsUrl: string;
        /** @description The position of this page in the list. */
        ListMeta: {
            /**
             * Format: int32
             * @description The exact number of results on all pages.
             */
            total: number;
            /**
             * Format: int32
             * @description The maximum number of results on a page.
             */
            per_page: number;
            /**
             * Format: int32
             * @description The number of this page. With `cursor`, counting continues from the page where you began.
             */
            current_page: number;
            /**
             * Format: int32
             * @description The number of the last page. At least 1.
             */
            last_page: number;
            /** @description Send this as `cursor` to get the next page. Null on the last page. */
            next_cursor: string | null;
        };
        /**
         * @description The language and region that decide how amounts and dates are read (BCP 47). With `de`, `1.250,00` is 1250 and
         *     `31.01.2027` is a date.
         * @example de-DE
         */
        Locale: string | null;
        /**
         * @description Why the lead was lost. Only leads with the status `lost` have a reason.
         * @example No budget this year
         */
        LostReason: string | null;
        /** @description The lead that the mapping produces, in the form of `POST /leads`. Null if it is not a valid lead. */
        MappedLead: {
            /**
             * @description The full name.
             * @example Ada Lovelace
             */
            name: string;
            /**
             * Format: email
             * @description The email address. No other lead has it, ignoring case.
             * @example ada@example.com
             */
            email: string;
            /**
             * @description The phone number in E.164 format, such as `+4915112345678`.
             * @example +4915112345678
             */
            phone: string | null;
            status: components["schemas"]["LeadStatus"];
            source: components["schemas"]["LeadSource"];
            /**
             * @description More about the source, such as the trade show or the campaign.
             * @example Trade show Berlin
             */
            source_detail: string | null;
            /**
             * @description The company or organisation.
             * @example Analytical Engines
             */
            company: string | null;
            /**
             * @description Your tags.
             * @example [
             *       "vip"
             *     ]
             */
            tags: string[];
            /**
             * @description The user to whom the lead is assigned.
             * @example user_01m7w4n5e0eymtkc82hvhg0xb9
             */
            assigned_user_id: string | null;
            /**
             * @description The content that brought the lead.
             * @example content_01m7w4n5e0fj29y8hnfp12qb0m
             */
            content_id: string | null;
            /**
             * @description The id of the lead in your own system. No other lead has it.
             * @example crm-4711
             */
            external_id: string | null;
            /**
             * @description Why the lead was lost. Only leads with the status `lost` have a reason.
             * @example No budget this year
             */
            lost_reason: string | null;
            value: components["schemas"]["LeadValue"];
            /**
             * Format: date
             * @description The day on which you expect to win the lead.
             * @example 2027-01-31
             */
            expected_close_on: string | null;
            /**
             * @description Your own key-value pairs.
             * @example {
             *       "plan": "enterprise"
             *     }
             */
            metadata: {
                [key: string]: string;
            };
        } | null;
        /**
         * @description Where to find each field of a lead in the data. A mapping needs `email`, and `name` or a part of it such as
         *     `name.last`. A `name` that finds something wins over the parts, which are joined. `metadata.<key>` sets a key of
         *     the metadata. `note` becomes a note about the lead. Everything that `tags` finds becomes a tag. Without an amount at `value.amount`, the lead gets no value,
         *     so `value.currency` can have a default.
         *
         *     Empty values count as missing. If a path finds a list, the first member that is not empty counts; a note and
         *     metadata get all of them. The mapping can have at most 200 paths and 16 KiB of JSON. The JSONPaths of a mapping
         *     have an effort that is limited for each delivery; what exceeds it is left out with a warning.
         * @example {
         *       "name": "/name",
         *       "email": "/email",
         *       "metadata.form": "/form_id"
         *     }
         */
        Mapping: {
            name?: components["schemas"]["MappingRule"];
            "name.prefix"?: components["schemas"]["MappingRule"];
            "name.first"?: components["schemas"]["MappingRule"];
            "name.middle"?: components["schemas"]["MappingRule"];
            "name.last"?: components["schemas"]["MappingRule"];
            email: components["schemas"]["MappingRule"];
            phone?: components["schemas"]["MappingRule"];
            company?: components["schemas"]["MappingRule"];
            status?: components["schemas"]["MappingRule"];
            source?: components["schemas"]["MappingRule"];
            source_detail?: components["schemas"]["MappingRule"];
            assigned_user_id?: components["schemas"]["MappingRule"];
            content_id?: components["schemas"]["MappingRule"];
            external_id?: components["schemas"]["MappingRule"];
            lost_reason?: components["schemas"]["MappingRule"];
            "value.amount"?: components["schemas"]["MappingRule"];
            "value.currency"?: components["schemas"]["MappingRule"];
            expected_close_on?: components["schemas"]["MappingRule"];
            tags?: components["schemas"]["MappingRule"];
            note?: components["schemas"]["MappingRule"];
        } & {
            [key: string]: components["schemas"]["MappingRule"];
        };
        /**
         * @description A path into the data, an object with a `path` and a `default`, or an object with `join`: paths whose texts are
         *     joined by `with`.
         * @example /contact/email
         */
        MappingPart: string | {
            path?: components["schemas"]["MappingPath"];
            /** @description The text to use if `path` finds nothing. */
            default?: string;
            /** @description The paths to the parts of a text. Parts that are missing are left out. */
            join?: components["schemas"]["MappingPath"][];
            /** @description The text between the parts of `join`. A space if you leave it out. */
            with?: string;
        };
        /**
         * @description Changes the mapping field by field. Null removes a field. After the change, the mapping can have at most 16 KiB
         *     of JSON.
         * @example {
         *       "phone": null
         *     }
         */
        MappingPatch: {
            name?: components["schemas"]["MappingRulePatch"];
            "name.prefix"?: components["schemas"]["MappingRulePatch"];
            "name.first"?: components["schemas"]["MappingRulePatch"];
            "name.middle"?: components["schemas"]["MappingRulePatch"];
            "name.last"?: components["schemas"]["MappingRulePatch"];
            email?: components["schemas"]["MappingRulePatch"];
            phone?: components["schemas"]["MappingRulePatch"];
            company?: components["schemas"]["MappingRulePatch"];
            status?: components["schemas"]["MappingRulePatch"];
            source?: components["schemas"]["MappingRulePatch"];
            source_detail?: components["schemas"]["MappingRulePatch"];
            assigned_user_id?: components["schemas"]["MappingRulePatch"];
            content_id?: components["schemas"]["MappingRulePatch"];
            external_id?: components["schemas"]["MappingRulePatch"];
            lost_reason?: components["schemas"]["MappingRulePatch"];
            "value.amount"?: components["schemas"]["MappingRulePatch"];
            "value.currency"?: components["schemas"]["MappingRulePatch"];
            expected_close_on?: components["schemas"]["MappingRulePatch"];
            tags?: components["schemas"]["MappingRulePatch"];
            note?: components["schemas"]["MappingRulePatch"];
        } & {
            [key: string]: components["schemas"]["MappingRulePatch"];
        };
        /**
         * @description A JSON Pointer (RFC 6901) such as `/email`, or a JSONPath (RFC 9535) such as
         *     `$.answers[?@.field.ref=='email'].email`.
         * @example /email
         */
        MappingPath: string;
        /**
         * @description Where a field is in the data. It can be
         *
         *     - a path: a JSON Pointer (RFC 6901) such as `/email`, or a JSONPath (RFC 9535) such as
         *       `$.answers[?@.field.ref=='email'].email`
         *     - an object with a `path`, and a `default` for when the path finds nothing
         *     - an object with `join`, paths whose texts are joined by `with`
         *     - a list of these. The first one that finds something counts.
         * @example [
         *       "/contact/email",
         *       "/email"
         *     ]
         */
        MappingRule: string | components["schemas"]["MappingPart"][] | {
            path?: components["schemas"]["MappingPath"];
            /** @description The text to use if `path` finds nothing. */
            default?: string;
            /** @description The paths to the parts of a text. Parts that are missing are left out. */
            join?: components["schemas"]["MappingPath"][];
            /** @description The text between the parts of `join`. A space if you leave it out. */
            with?: string;
        };
        /**
         * @description Where a field is in the data. It can be
         *
         *     - a path: a JSON Pointer (RFC 6901) such as `/email`, or a JSONPath (RFC 9535) such as
         *       `$.answers[?@.field.ref=='email'].email`
         *     - an object with a `path`, and a `default` for when the path finds nothing
         *     - an object with `join`, paths whose texts are joined by `with`
         *     - a list of these. The first one that finds something counts.
         *
         *     Null removes the field from the mapping.
         * @example [
         *       "/contact/email",
         *       "/email"
         *     ]
         */
        MappingRulePatch: string | components["schemas"]["MappingPart"][] | {
            path?: components["schemas"]["MappingPath"];
            /** @description The text to use if `path` finds nothing. */
            default?: string;
            /** @description The paths to the parts of a text. Parts that are missing are left out. */
            join?: components["schemas"]["MappingPath"][];
            /** @description The text between the parts of `join`. A space if you leave it out. */
            with?: string;
        } | null;
        /**
         * @description The text of the content, in Markdown.
         * @example # Seven ways
         */
        Markdown: string | null;
        /**
         * @description Your own key-value pairs, at most 16 KiB of JSON in total.
         * @example {
         *       "plan": "enterprise"
         *     }
         */
        Metadata: {
            [key: string]: string;
        };
        /** @description The change of the metadata. */
        MetadataChange: {
            /** @description The value before the change. */
            from: {
                [key: string]: string;
            };
            /** @description The value after the change. */
            to: {
                [key: string]: string;
            };
        };
        /**
         * @description Values to set or remove. The service merges them with the existing ones. A null value removes its key; null
         *     instead of the object removes all keys. After the change, at most 50 keys and 16 KiB of JSON may remain.
         * @example {
         *       "plan": null
         *     }
         */
        MetadataPatch: {
            [key: string]: string | null;
        } | null;
        /**
         * @description The full name.
         * @example Ada Lovelace
         */
        Name: string;
        /** @description Always empty. */
        NoChanges: Record<string, never>;
        /** @description A note about a lead or a contact. Every field is always present. */
        Note: {
            id: components["schemas"]["NoteId"];
            /**
             * @description The lead that the note is about. Null if it is about a contact.
             * @example lead_01m7w4n5e0e3tajy9kep34bze2
             */
            lead_id: string | null;
            /**
             * @description The contact that the note is about. Null if it is about a lead.
             * @example contact_01m7w4n5e0fymt8j463c8gepsz
             */
            contact_id: string | null;
            /**
             * @description What the note says.
             * @example Called back. She decides after the board meeting on Friday.
             */
            text: string;
            pinned: components["schemas"]["Pinned"];
            /** @description Who created the note. */
            author: components["schemas"]["Actor"];
            author_name: components["schemas"]["AuthorName"];
            external_id: components["schemas"]["NoteExternalId"];
            created_at: components["schemas"]["CreatedAt"];
            updated_at: components["schemas"]["UpdatedAt"];
            version: components["schemas"]["Version"];
        };
        /**
         * @description The fields of the note that changed, without `updated_at` and `version`. Empty for a new note. For a text of
         *     more than 1,000 characters, `text_sha256` replaces `text`.
         */
        NoteChanges: {
            text?: components["schemas"]["TextChange"];
            text_sha256?: components["schemas"]["DigestChange"];
            pinned?: components["schemas"]["PinnedChange"];
        };
        /** @description A note was created. */
        NoteCreatedEvent: {
            /**
             * @description What happened. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "note.created";
            id: components["schemas"]["EventId"];
            occurred_at: components["schemas"]["OccurredAt"];
            environment: components["schemas"]["Environment"];
            request_id: components["schemas"]["EventRequestId"];
            actor: components["schemas"]["Actor"];
            data: components["schemas"]["NoteEventData"];
        };
        /** @description A note was deleted. */
        NoteDeletedEvent: {
            /**
             * @description What happened. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "note.deleted";
            id: components["schemas"]["EventId"];
            occurred_at: components["schemas"]["OccurredAt"];
            environment: components["schemas"]["Environment"];
            request_id: components["schemas"]["EventRequestId"];
            actor: components["schemas"]["Actor"];
            data: components["schemas"]["DeletedNoteData"];
        };
        /** @description The note after the change, and what changed. */
        NoteEventData: {
            object: components["schemas"]["Note"];
            changes: components["schemas"]["NoteChanges"];
        };
        /**
         * @description The note's id in another system. No other note may have the same.
         * @example note-4711
         */
        NoteExternalId: string | null;
        /**
         * @description The id of the note. The service generates it.
         * @example note_01m7w4n5e0fnt8s5k2x9c3qrzv
         */
        NoteId: string;
        /** @description A page of notes. */
        NoteListResponse: {
            /** @description The notes on this page. */
            data: components["schemas"]["Note"][];
            meta: components["schemas"]["ListMeta"];
        };
        /**
         * @description A field to sort by. A leading `-` means descending.
         * @default -created_at
         * @enum {string}
         */
        NoteOrder: "created_at" | "-created_at" | "updated_at" | "-updated_at";
        /** @description A single note. */
        NoteResponse: {
            data: components["schemas"]["Note"];
        };
        /**
         * @description What the note says.
         * @example Called back. She decides after the board meeting on Friday.
         */
        NoteText: string;
        /** @description A note was updated. */
        NoteUpdatedEvent: {
            /**
             * @description What happened. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "note.updated";
            id: components["schemas"]["EventId"];
            occurred_at: components["schemas"]["OccurredAt"];
            environment: components["schemas"]["Environment"];
            request_id: components["schemas"]["EventRequestId"];
            actor: components["schemas"]["Actor"];
            data: components["schemas"]["NoteEventData"];
        };
        /**
         * @description The language as a BCP 47 tag, such as `en` or `pt-BR`.
         * @example en
         */
        NullableLanguage: string | null;
        /** @description The change of a text, an id or a time. Null means empty. */
        NullableTextChange: {
            /** @description The value before the change. */
            from: string | null;
            /** @description The value after the change. */
            to: string | null;
        };
        /** @description A program that can get tokens. Every field is always present. */
        OAuthClient: {
            /**
             * @description The id of the client, which is also its `client_id`.
             * @example client_01m7w4n5e0e0vbbhcpvg4zwf73
             */
            id: string;
            /**
             * @description The name of the client.
             * @example Website backend
             */
            name: string;
            /**
             * @description The scopes of the client.
             * @example [
             *       "leads:read",
             *       "leads:write"
             *     ]
             */
            scopes: string[];
            /**
             * @description The user for whom the client acts, unless a request names another one.
             * @example user_01m7w4n5e0eymtkc82hvhg0xb9
             */
            user_id: string | null;
            status: components["schemas"]["ClientStatus"];
            /**
             * Format: date-time
             * @description When the client was disabled, in UTC. Null if it is enabled.
             * @example 2026-11-21T14:05:00.000Z
             */
            disabled_at: string | null;
            created_at: components["schemas"]["CreatedAt"];
            updated_at: components["schemas"]["UpdatedAt"];
            version: components["schemas"]["Version"];
        };
        /** @description A client with its secret. Only creation and rotation return it. */
        OAuthClientWithSecret: {
            /**
             * @description The id of the client, which is also its `client_id`.
             * @example client_01m7w4n5e0e0vbbhcpvg4zwf73
             */
            id: string;
            /**
             * @description The name of the client.
             * @example Website backend
             */
            name: string;
            /**
             * @description The scopes of the client.
             * @example [
             *       "leads:read",
             *       "leads:write"
             *     ]
             */
            scopes: string[];
            /**
             * @description The user for whom the client acts, unless a request names another one.
             * @example user_01m7w4n5e0eymtkc82hvhg0xb9
             */
            user_id: string | null;
            status: components["schemas"]["ClientStatus"];
            /**
             * Format: date-time
             * @description When the client was disabled, in UTC. Null if it is enabled.
             * @example 2026-11-21T14:05:00.000Z
             */
            disabled_at: string | null;
            created_at: components["schemas"]["CreatedAt"];
            updated_at: components["schemas"]["UpdatedAt"];
            version: components["schemas"]["Version"];
            /**
             * @description The secret of the client. The service does not show it again.
             * @example lps_live_2vXhQ0bJ8mTn4kRz7yWc1sLd6gPf9aUe3iOoBxVqKtM
             */
            client_secret: string;
        };
        /**
         * Format: date-time
         * @description When it happened.
         * @example 2026-11-20T09:30:00.000Z
         */
        OccurredAt: string;
        /**
         * @description What happens if a lead with the email address already exists. `merge` fills its empty fields and adds tags, but
         *     overwrites nothing. `ignore` leaves the lead as it is. Both add a note with the message and with what differs,
         *     and give an event `lead.enquired`. `reject` rejects the delivery.
         * @enum {string}
         */
        OnDuplicate: "merge" | "ignore" | "reject";
        /**
         * @description The phone number with its country code. It may have spaces and other separators, `tel:` in front, `00` or `011`
         *     instead of `+`, and `(0)` after the country code. The service stores it in E.164 format, such as
         *     `+4915112345678`, and an extension in `metadata.phone_extension`.
         * @example +4915112345678
         */
        Phone: string | null;
        /**
         * @description Whether to show the note above the others. The filter `pinned` finds such notes.
         * @example true
         */
        Pinned: boolean;
        /** @description The change of `pinned`. */
        PinnedChange: {
            /** @description The value before the change. */
            from: boolean;
            /** @description The value after the change. */
            to: boolean;
        };
        /** @description The pipeline. */
        PipelineResponse: {
            /** @description The statuses in order, and in each the currencies in alphabetical order. Null comes last. */
            data: components["schemas"]["PipelineRow"][];
            meta: components["schemas"]["AnalyticsMeta"];
        };
        /** @description The leads of one status with a value in one currency. */
        PipelineRow: {
            status: components["schemas"]["LeadStatus"];
            /** @description The ISO 4217 code of the currency. Null for leads without a value. */
            currency: string | null;
            /**
             * Format: int32
             * @description The number of leads.
             */
            leads: number;
            /** @description The exact sum of their values. Null for leads without a value. */
            value: string | null;
            /**
             * @description `value` divided by `leads`, with the decimals of the currency. A half is rounded up. Null if there are no
             *     leads, and for leads without a value.
             */
            average_value: string | null;
            leads_url: components["schemas"]["LeadsUrl"];
        };
        /** @description The payload to test. */
        PreviewInboundHook: {
            payload: components["schemas"]["InboundPayload"];
        };
        /**
         * @description Where a browser goes after it has sent a form (303). Only a browser's form is answered so: other senders get the
         *     202. Without it, a browser shows a plain page that thanks.
         * @example https://www.example.com/thanks
         */
        RedirectUrl: string | null;
        /** @description The cells of a failed row by column, and why it failed. */
        RejectedRow: {
            /**
             * @description What is wrong with the row.
             * @example E-mail: must be an email address such as ada@example.com
             */
            error: string;
        } & {
            [key: string]: unknown;
        };
        /**
         * @description Tags to remove. The other tags stay. Not together with `tags`.
         * @example [
         *       "newsletter"
         *     ]
         */
        RemoveTags: string[];
        /** @description The events to send again. */
        ReplayWebhook: {
            /** @description Events from this moment on, at most 90 days ago. Send an RFC 3339 instant or a date. */
            from: components["schemas"]["InstantOrDate"];
            /** @description Events up to this moment. Send an RFC 3339 instant or a date. A date includes its whole day in UTC. */
            to: components["schemas"]["InstantOrDate"];
            /**
             * @description Only events of these types. The webhook must subscribe to each of them. The default is all types that it
             *     subscribes to.
             * @example [
             *       "lead.created",
             *       "lead.deleted"
             *     ]
             */
            event_types?: components["schemas"]["EventType"][];
            /**
             * @description Only events that failed to reach this webhook and never succeeded.
             * @default false
             */
            only_failed: boolean;
            /**
             * @description Only events that this webhook's receiver has not accepted: events that failed, and events that were never
             *     sent because the webhook was paused, disabled or did not exist yet.
             * @default false
             */
            only_undelivered: boolean;
        };
        /**
         * @description When the service sends an event again after any answer other than 2xx, including a redirect. `standard`: after 5
         *     s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h and 24 h, or later if your `Retry-After` says so. `fast`, in the
         *     sandbox only, for testing your receiver: after 1, 2, 3, 5, 7, 8, 10, 12 and 12 s. A 410 disables the webhook
         *     immediately.
         * @enum {string}
         */
        RetrySchedule: "standard" | "fast";
        /** @description A request to revoke a token. Unknown fields are ignored, as RFC 6749 requires. */
        RevokeRequest: {
            /** @description The token, or the API key, to revoke. */
            token: string;
            /** @description The kind of token. The service recognizes the kind by itself, so it ignores this. */
            token_type_hint?: string;
            /** @description The id of your client. A token needs it, unless you send it by HTTP Basic. */
            client_id?: string;
            /** @description The secret of your client. A token needs it, unless you send it by HTTP Basic. */
            client_secret?: string;
        };
        /** @description An empty object. The status is the answer. */
        RevokeResponse: Record<string, never>;
        /**
         * @description What the leads of a row are worth in one currency: `won`, those that are currently won, and `open`, those that are
         *     currently neither won nor lost. Currencies are never converted.
         */
        RowValue: {
            /** @description The ISO 4217 code of the currency. */
            currency: string;
            won: components["schemas"]["LeadSum"];
            open: components["schemas"]["LeadSum"];
        };
        /** @description The number of resources of each kind. */
        SandboxCounts: {
            /**
             * Format: int32
             * @description The number of users.
             * @example 12
             */
            users: number;
            /**
             * Format: int32
             * @description The number of contacts.
             * @example 192
             */
            contacts: number;
            /**
             * Format: int32
             * @description The number of pieces of content.
             * @example 24
             */
            content: number;
            /**
             * Format: int32
             * @description The number of leads.
             * @example 1000
             */
            leads: number;
        };
        /** @description What the reset deleted. */
        SandboxReset: {
            deleted: components["schemas"]["SandboxCounts"];
        };
        /** @description What was deleted. */
        SandboxResetResponse: {
            data: components["schemas"]["SandboxReset"];
        };
        /** @description What was added, by kind. */
        SandboxSeed: {
            /**
             * Format: int32
             * @description The seed of the data.
             * @example 42
             */
            seed: number;
            /**
             * Format: int32
             * @description The number of users.
             * @example 12
             */
            users: number;
            /**
             * Format: int32
             * @description The number of contacts.
             * @example 192
             */
            contacts: number;
            /**
             * Format: int32
             * @description The number of pieces of content.
             * @example 24
             */
            content: number;
            /**
             * Format: int32
             * @description The number of leads.
             * @example 1000
             */
            leads: number;
        };
        /** @description What was added. */
        SandboxSeedResponse: {
            data: components["schemas"]["SandboxSeed"];
        };
        /**
         * @description A scope. Neither `read` nor `write` includes `admin`.
         * @enum {string}
         */
        Scope: "read" | "write" | "leads:read" | "leads:write" | "contacts:read" | "contacts:write" | "content:read" | "content:write" | "users:read" | "users:write" | "webhooks:read" | "webhooks:write" | "analytics:read" | "events:read" | "admin";
        /**
         * @description The scopes of the client. Duplicates are removed.
         * @example [
         *       "leads:read",
         *       "leads:write"
         *     ]
         */
        Scopes: components["schemas"]["Scope"][];
        /** @description The data to add. */
        SeedSandbox: {
            /**
             * Format: int32
             * @description The seed of the random data.
             * @default 42
             * @example 42
             */
            seed: number;
            /**
             * Format: int32
             * @description The number of leads. Users, contacts and content are added in proportion.
             * @default 1000
             * @example 1000
             */
            leads: number;
        };
        /**
         * @description The content's name in URLs. No other content has it.
         * @example seven-ways-to-count-leads
         */
        Slug: string;
        /**
         * @description More about the source, such as the trade show or the campaign.
         * @example Trade show Berlin
         */
        SourceDetail: string | null;
        /** @description The leads from one source. */
        SourcePerformance: {
            source: components["schemas"]["LeadSource"];
            /**
             * Format: int32
             * @description Leads created in the period.
             */
            leads: number;
            /**
             * Format: int32
             * @description How many of them ever entered `contacted` or a later status.
             */
            reached_contacted: number;
            /**
             * Format: int32
             * @description How many of them ever entered `qualified` or a later status.
             */
            reached_qualified: number;
            /**
             * Format: int32
             * @description How many of them are currently won.
             */
            won: number;
            /**
             * Format: int32
             * @description How many of them are currently lost.
             */
            lost: number;
            /**
             * Format: int32
             * @description How many of them are currently neither won nor lost.
             */
            open: number;
            /**
             * @description The share of won leads among the leads that are currently won or lost, with four decimals. Null if there are
             *     none.
             */
            win_rate: number | null;
            /**
             * @description What these leads are worth, in each currency that they have, in alphabetical order. Empty if none of them has
             *     a value.
             */
            value: components["schemas"]["RowValue"][];
            leads_url: components["schemas"]["LeadsUrl"];
        };
        /** @description The sources. */
        SourcesResponse: {
            /** @description One row for each source. */
            data: components["schemas"]["SourcePerformance"][];
            meta: components["schemas"]["AnalyticsMeta"];
        };
        /** @description How to import. Fields that you leave out stay as they are. */
        StartImport: {
            /** @description The field of a column. Null ignores the column. Columns that you leave out stay as they are. */
            mapping?: components["schemas"]["GivenMapping"];
            defaults?: components["schemas"]["ImportDefaults"];
            values?: components["schemas"]["ImportValues"];
            /**
             * @description The language and region of dates and amounts in the file (BCP 47).
             * @example de-DE
             */
            locale?: string | null;
            /**
             * @description The country of phone numbers without a country code (ISO 3166-1 alpha-2).
             * @example DE
             */
            default_country?: string | null;
            match?: components["schemas"]["ImportMatch"];
            on_duplicate?: components["schemas"]["ImportOnDuplicate"];
            create_users?: components["schemas"]["ImportCreateUsers"];
            /**
             * @description Whether this is a dry run.
             * @default false
             */
            dry_run: boolean;
        };
        /** @description A change of a lead's status. Every field is always present. */
        StatusChange: {
            /**
             * @description The previous status. Null for the lead's first status.
             * @enum {string|null}
             */
            from: "new" | "contacted" | "qualified" | "won" | "lost" | null;
            /**
             * @description The new status.
             * @enum {string}
             */
            to: "new" | "contacted" | "qualified" | "won" | "lost";
            /**
             * Format: date-time
             * @description When the status changed, in UTC.
             * @example 2026-11-22T08:00:00.125Z
             */
            at: string;
            /**
             * Format: int32
             * @description How long the lead was in the previous status, in seconds. Null for its first status.
             * @example 167400
             */
            seconds_in_previous_status: number | null;
            actor: components["schemas"]["Actor"];
            /**
             * @description The id of the request that changed the status, as in `X-Request-Id`.
             * @example req-5f3c9a7e1b2d
             */
            request_id: string;
        };
        /** @description A page of status changes. */
        StatusChangeListResponse: {
            /** @description The status changes on this page. */
            data: components["schemas"]["StatusChange"][];
            meta: components["schemas"]["ListMeta"];
        };
        /** @description The number of leads by current status. */
        StatusCounts: {
            /**
             * Format: int32
             * @description Leads that are `new`.
             */
            new: number;
            /**
             * Format: int32
             * @description Leads that are `contacted`.
             */
            contacted: number;
            /**
             * Format: int32
             * @description Leads that are `qualified`.
             */
            qualified: number;
            /**
             * Format: int32
             * @description Leads that are `won`.
             */
            won: number;
            /**
             * Format: int32
             * @description Leads that are `lost`.
             */
            lost: number;
        };
        /** @description How long leads stayed in one status. */
        StatusStays: {
            status: components["schemas"]["LeadStatus"];
            /**
             * Format: int32
             * @description How many times a lead entered the status in the period.
             */
            entered: number;
            /**
             * Format: int32
             * @description How many times a lead left the status in the period.
             */
            exited: number;
            /**
             * Format: int32
             * @description Leads that currently have the status, no matter when they entered it.
             */
            current: number;
            /**
             * Format: int32
             * @description The mean time, in seconds, that leads stayed in the status before they left it. Null if none left.
             */
            mean_seconds: number | null;
            /**
             * Format: int32
             * @description The median of these times. Null if no lead left.
             */
            median_seconds: number | null;
            /**
             * Format: int32
             * @description The 90th percentile of these times. Null if no lead left.
             */
            p90_seconds: number | null;
            leads_url: components["schemas"]["LeadsUrl"];
        };
        /**
         * @description An event type, or `*` for all types.
         * @enum {string}
         */
        SubscribedEventType: "*" | "lead.created" | "lead.updated" | "lead.status_changed" | "lead.assigned" | "lead.converted" | "lead.enquired" | "lead.deleted" | "contact.created" | "contact.updated" | "contact.deleted" | "note.created" | "note.updated" | "note.deleted" | "content.created" | "content.updated" | "content.published" | "content.unpublished" | "content.archived" | "content.deleted" | "user.created" | "user.updated" | "user.deleted" | "inbound.rejected" | "webhook.disabled" | "webhook.test";
        /**
         * @description A summary of the content.
         * @example What a pipeline tells and what it hides.
         */
        Summary: string | null;
        /** @description The figures of the previous period. */
        SummaryPeriod: {
            /**
             * Format: date
             * @description The first day of the period.
             */
            from: string;
            /**
             * Format: date
             * @description The last day of the period, included.
             */
            to: string;
            /**
             * Format: int32
             * @description Leads created in the period.
             */
            leads_created: number;
            /**
             * Format: int32
             * @description How many of them are currently neither won nor lost.
             */
            open: number;
            /**
             * Format: int32
             * @description How many of them are currently won.
             */
            won: number;
            /**
             * Format: int32
             * @description How many of them are currently lost.
             */
            lost: number;
            /**
             * @description The share of won leads among the leads that are currently won or lost, with four decimals. Null if there are
             *     none.
             */
            win_rate: number | null;
            /**
             * Format: int32
             * @description The median time, in seconds, until a lead first entered `contacted` or a later status. Null if none did.
             */
            median_seconds_to_first_contact: number | null;
            /**
             * Format: int32
             * @description The median time, in seconds, until a lead that is currently won or lost entered that status. Null if there
             *     are none.
             */
            median_seconds_to_close: number | null;
            by_status: components["schemas"]["StatusCounts"];
            /**
             * @description What these leads are worth, in each currency that they have, in alphabetical order. Empty if none of them has
             *     a value.
             */
            value: components["schemas"]["RowValue"][];
            leads_url: components["schemas"]["LeadsUrl"];
        };
        /** @description The summary. */
        SummaryResponse: {
            data: components["schemas"]["LeadSummary"];
            meta: components["schemas"]["AnalyticsMeta"];
        };
        /** @description A tag in use. */
        TagCount: {
            /**
             * @description The tag.
             * @example newsletter
             */
            tag: string;
            /**
             * Format: int32
             * @description How many leads, contacts or pieces of content have it. Exact.
             * @example 512
             */
            count: number;
        };
        /** @description A page of tags. */
        TagListResponse: {
            /** @description The tags on this page. */
            data: components["schemas"]["TagCount"][];
            meta: components["schemas"]["ListMeta"];
        };
        /**
         * @description The order. A leading `-` means descending.
         * @default -count
         * @enum {string}
         */
        TagOrder: "count" | "-count" | "tag" | "-tag";
        /**
         * @description What has the tags.
         * @default leads
         * @enum {string}
         */
        TaggedResource: "leads" | "contacts" | "content";
        /**
         * @description Your tags. Duplicates are removed.
         * @example [
         *       "vip"
         *     ]
         */
        Tags: string[];
        /** @description The change of the tags. */
        TagsChange: {
            /** @description The value before the change. */
            from: string[];
            /** @description The value after the change. */
            to: string[];
        };
        /**
         * @description All tags. They replace the existing ones; null removes them. Duplicates are removed.
         * @example [
         *       "vip"
         *     ]
         */
        TagsPatch: string[] | null;
        /** @description The change of a text or a time. */
        TextChange: {
            /** @description The value before the change. */
            from: string;
            /** @description The value after the change. */
            to: string;
        };
        /** @description The statuses. */
        TimeInStatusResponse: {
            /** @description One row for each status. */
            data: components["schemas"]["StatusStays"][];
            meta: components["schemas"]["AnalyticsMeta"];
        };
        /** @description The changes of one group in a period. */
        TimeseriesPoint: {
            /**
             * Format: date
             * @description The first day of the period, not before `from`.
             */
            period_start: string;
            /**
             * Format: date
             * @description The last day of the period, included, not after `to`.
             */
            period_end: string;
            /**
             * @description The source, the status or the user id, depending on `group_by`. `none` for leads without a user. Null
             *     without `group_by`.
             */
            group: string | null;
            /**
             * Format: int32
             * @description Leads created in the period.
             */
            created: number;
            /**
             * Format: int32
             * @description Leads that first entered `contacted` or a later status in the period.
             */
            first_contacted: number;
            /**
             * Format: int32
             * @description Leads that first entered `qualified` or a later status in the period.
             */
            first_qualified: number;
            /**
             * Format: int32
             * @description Leads that were first won in the period.
             */
            first_won: number;
            /**
             * Format: int32
             * @description Leads that were first lost in the period.
             */
            first_lost: number;
            /**
             * @description The value of the leads that were won in the period and are still won (`won`), and of the leads that were
             *     created in the period and are currently open (`open`). There is an item for each currency that they have, in
             *     alphabetical order.
             */
            value: components["schemas"]["RowValue"][];
            leads_url: components["schemas"]["LeadsUrl"];
        };
        /** @description The periods. */
        TimeseriesResponse: {
            /** @description The periods in order, and the groups within each period. */
            data: components["schemas"]["TimeseriesPoint"][];
            meta: components["schemas"]["AnalyticsMeta"];
        };
        /**
         * Format: timezone
         * @description The name of an IANA timezone.
         * @default UTC
         * @example Europe/Berlin
         */
        Timezone: string;
        /**
         * @description The title.
         * @example Seven Ways to Count Leads
         */
        Title: string;
        /** @description A request for a token. Unknown fields are ignored, as RFC 6749 requires. */
        TokenRequest: {
            /**
             * @description The OAuth 2.0 grant.
             * @enum {string}
             */
            grant_type: "client_credentials";
            /** @description The id of your client. Required unless you send it by HTTP Basic. */
            client_id?: string;
            /** @description The secret of your client. Required unless you send it by HTTP Basic. */
            client_secret?: string;
            /** @description The scopes that the token should have, separated by spaces. The default is every scope of your client. */
            scope?: string;
            /**
             * Format: int32
             * @description Sandbox only: how many seconds the token is valid, so that you can test what your program does when a token
             *     expires. The default is 3600. In production, the answer is a 422.
             * @example 1
             */
            expires_in?: number;
        };
        /** @description An access token, in the format of RFC 6749. */
        TokenResponse: {
            /** @description The access token, a JWT. Send it as `Authorization: Bearer <token>`. */
            access_token: string;
            /**
             * @description How to send the token.
             * @enum {string}
             */
            token_type: "Bearer";
            /**
             * Format: int32
             * @description How many seconds the token is valid.
             * @example 3600
             */
            expires_in: number;
            /**
             * @description The scopes of the token, separated by spaces.
             * @example read write
             */
            scope: string;
        };
        /** @description A column that no field is filled from. */
        UnusedColumn: {
            /**
             * @description The column.
             * @example Website URL
             */
            column: string;
            /**
             * @description What you could do with it.
             * @example To keep it, map it to metadata.website_url.
             */
            hint: string | null;
        };
        /** @description The fields to change. */
        UpdateClient: {
            name?: components["schemas"]["ClientName"];
            user_id?: components["schemas"]["ClientUserId"];
        };
        /** @description The fields of the contact to change. Fields that you leave out stay as they are. Null clears a field. */
        UpdateContact: {
            name?: components["schemas"]["Name"];
            email?: components["schemas"]["ContactEmail"];
            phone?: components["schemas"]["Phone"];
            company?: components["schemas"]["Company"];
            title?: components["schemas"]["JobTitle"];
            assigned_user_id?: components["schemas"]["AssignedUserId"];
            tags?: components["schemas"]["TagsPatch"];
            metadata?: components["schemas"]["MetadataPatch"];
            external_id?: components["schemas"]["ExternalId"];
            add_tags?: components["schemas"]["AddTags"];
            remove_tags?: components["schemas"]["RemoveTags"];
        };
        /** @description The fields of the content to change. Fields that you leave out stay as they are. Null clears a field. */
        UpdateContent: {
            title?: components["schemas"]["Title"];
            slug?: components["schemas"]["Slug"];
            type?: components["schemas"]["ContentKind"];
            summary?: components["schemas"]["Summary"];
            body?: components["schemas"]["Markdown"];
            url?: components["schemas"]["Url"];
            language?: components["schemas"]["NullableLanguage"];
            author_user_id?: components["schemas"]["AuthorUserId"];
            tags?: components["schemas"]["TagsPatch"];
            metadata?: components["schemas"]["MetadataPatch"];
            add_tags?: components["schemas"]["AddTags"];
            remove_tags?: components["schemas"]["RemoveTags"];
        };
        /** @description The fields of the hook to change. Fields that you leave out stay as they are. Null clears a field. */
        UpdateInboundHook: {
            name?: components["schemas"]["HookName"];
            status?: components["schemas"]["InboundHookStatus"];
            lead_source?: components["schemas"]["LeadSource"];
            default_tags?: components["schemas"]["TagsPatch"];
            assigned_user_id?: components["schemas"]["HookUserId"];
            content_id?: components["schemas"]["FirstContentId"];
            mapping?: components["schemas"]["MappingPatch"];
            verification?: components["schemas"]["UpdateVerification"];
            on_duplicate?: components["schemas"]["OnDuplicate"];
            redirect_url?: components["schemas"]["RedirectUrl"];
            honeypot?: components["schemas"]["Honeypot"];
            allowed_origins?: components["schemas"]["AllowedOrigins"];
            default_country?: components["schemas"]["DefaultCountry"];
            locale?: components["schemas"]["Locale"];
            values?: components["schemas"]["HookValues"];
            accept_if?: components["schemas"]["AcceptIf"];
        };
        /** @description The fields of the lead to change. Fields that you leave out stay as they are. Null clears a field. */
        UpdateLead: {
            name?: components["schemas"]["Name"];
            email?: components["schemas"]["Email"];
            status?: components["schemas"]["LeadStatus"];
            source?: components["schemas"]["LeadSource"];
            source_detail?: components["schemas"]["SourceDetail"];
            phone?: components["schemas"]["Phone"];
            company?: components["schemas"]["Company"];
            assigned_user_id?: components["schemas"]["AssignedUserId"];
            content_id?: components["schemas"]["FirstContentId"];
            lost_reason?: components["schemas"]["LostReason"];
            value?: components["schemas"]["LeadValuePatch"];
            expected_close_on?: components["schemas"]["ExpectedCloseOn"];
            tags?: components["schemas"]["TagsPatch"];
            metadata?: components["schemas"]["MetadataPatch"];
            external_id?: components["schemas"]["ExternalId"];
            add_tags?: components["schemas"]["AddTags"];
            remove_tags?: components["schemas"]["RemoveTags"];
        };
        /** @description The fields of the note to change. Fields that you leave out stay as they are. */
        UpdateNote: {
            text?: components["schemas"]["NoteText"];
            pinned?: components["schemas"]["Pinned"];
        };
        /** @description The fields of the user to change. Fields that you leave out stay as they are. */
        UpdateUser: {
            name?: components["schemas"]["Name"];
            email?: components["schemas"]["Email"];
            active?: components["schemas"]["Active"];
            metadata?: components["schemas"]["MetadataPatch"];
            external_id?: components["schemas"]["ExternalId"];
        };
        /**
         * @description Changes how the hook verifies the data it receives. If you change the `type`, send all of its fields. Null means
         *     `none`.
         */
        UpdateVerification: {
            type?: components["schemas"]["VerificationType"];
            /**
             * @description The name of the header with the signature or the secret.
             * @example X-Hub-Signature-256
             */
            header?: string | null;
            /**
             * @description The encoding of the `hmac_sha256` signature: `hex`, the default, or `base64`.
             * @example hex
             * @enum {string|null}
             */
            encoding?: "hex" | "base64" | null;
            /**
             * @description The text before the `hmac_sha256` signature in its header, such as `sha256=`.
             * @example sha256=
             */
            prefix?: string | null;
            /**
             * @description What `hmac_sha256` signs: a text in which `{timestamp}`, `{body}`, `{method}` and `{url}` stand for those of
             *     the request. `{body}` is the default. With `{timestamp}` but without `timestamp_header`, the `header` must
             *     be a list such as `t=1700000000,v1=5257a8…`. One of its signatures must match; they begin with `prefix`, or
             *     with `v1=` if there is none.
             * @example {timestamp}.{body}
             */
            signed?: string | null;
            /**
             * @description The name of the header with the `{timestamp}` that is signed, in seconds or milliseconds since 1970.
             * @example X-Request-Timestamp
             */
            timestamp_header?: string | null;
            /**
             * Format: int32
             * @description How many seconds the `{timestamp}` that is signed may differ from the time of the request. 300 is the
             *     default.
             * @example 300
             */
            tolerance?: number | null;
            /**
             * @description A JSON Pointer (RFC 6901) to the field with the secret. The service removes the secret before it stores the
             *     data.
             * @example /google_key
             */
            path?: string | null;
            /**
             * @description The `hub.verify_token` that `GET /hooks/{token}` expects. The service encrypts it and never shows it.
             * @example verify-4f8a1c9be2
             */
            verify_token?: string | null;
            /**
             * @description The secret that the other system sends or uses to sign. The service encrypts it and never shows it.
             * @example whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw
             */
            secret?: string;
        } | null;
        /** @description The fields of the webhook to change. Fields that you leave out stay as they are. Null clears a field. */
        UpdateWebhook: {
            url?: components["schemas"]["WebhookUrl"];
            event_types?: components["schemas"]["EventTypes"];
            description?: components["schemas"]["WebhookDescription"];
            status?: components["schemas"]["WantedWebhookStatus"];
            retry_schedule?: components["schemas"]["RetrySchedule"];
        };
        /**
         * Format: date-time
         * @description When it was last changed, in UTC.
         * @example 2026-11-20T09:30:00.000Z
         */
        UpdatedAt: string;
        /** @description The fields to set. Fields that you leave out stay as they are, or get their defaults in a new contact. */
        UpsertContact: {
            name?: components["schemas"]["Name"];
            email?: components["schemas"]["ContactEmail"];
            phone?: components["schemas"]["Phone"];
            company?: components["schemas"]["Company"];
            title?: components["schemas"]["JobTitle"];
            assigned_user_id?: components["schemas"]["AssignedUserId"];
            tags?: components["schemas"]["TagsPatch"];
            metadata?: components["schemas"]["MetadataPatch"];
        };
        /** @description The fields to set. Fields that you leave out stay as they are, or get their defaults in a new lead. */
        UpsertLead: {
            name?: components["schemas"]["Name"];
            email?: components["schemas"]["Email"];
            status?: components["schemas"]["LeadStatus"];
            source?: components["schemas"]["LeadSource"];
            source_detail?: components["schemas"]["SourceDetail"];
            phone?: components["schemas"]["Phone"];
            company?: components["schemas"]["Company"];
            assigned_user_id?: components["schemas"]["AssignedUserId"];
            content_id?: components["schemas"]["FirstContentId"];
            lost_reason?: components["schemas"]["LostReason"];
            value?: components["schemas"]["LeadValuePatch"];
            expected_close_on?: components["schemas"]["ExpectedCloseOn"];
            tags?: components["schemas"]["TagsPatch"];
            metadata?: components["schemas"]["MetadataPatch"];
        };
        /** @description The fields to set. Fields that you leave out stay as they are, or get their defaults in a new user. */
        UpsertUser: {
            name?: components["schemas"]["Name"];
            email?: components["schemas"]["Email"];
            active?: components["schemas"]["Active"];
            metadata?: components["schemas"]["MetadataPatch"];
        };
        /**
         * Format: uri
         * @description Where to find the content on the web: an absolute `http` or `https` URL.
         * @example https://www.example.com/ebooks/seven-ways-to-count-leads
         */
        Url: string | null;
        /** @description A person to whom you can assign leads and contacts. Every field is always present. */
        User: {
            /**
             * @description The id of the user. The service generates it.
             * @example user_01m7w4n5e0eymtkc82hvhg0xb9
             */
            id: string;
            /**
             * @description The full name.
             * @example Grace Hopper
             */
            name: string;
            /**
             * Format: email
             * @description The email address. No other user has it, ignoring case.
             * @example grace@example.com
             */
            email: string;
            active: components["schemas"]["Active"];
            /**
             * @description The id of the user in your own system. No other user has it.
             * @example hr-1906
             */
            external_id: string | null;
            /**
             * @description Your own texts, by name.
             * @example {
             *       "team": "EMEA"
             *     }
             */
            metadata: {
                [key: string]: string;
            };
            created_at: components["schemas"]["CreatedAt"];
            updated_at: components["schemas"]["UpdatedAt"];
            version: components["schemas"]["Version"];
        };
        /** @description The fields of the user that changed, without `updated_at` and `version`. Empty for a new user. */
        UserChanges: {
            name?: components["schemas"]["TextChange"];
            email?: components["schemas"]["TextChange"];
            active?: components["schemas"]["ActiveChange"];
        };
        /** @description A user was created. */
        UserCreatedEvent: {
            /**
             * @description What happened. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "user.created";
            id: components["schemas"]["EventId"];
            occurred_at: components["schemas"]["OccurredAt"];
            environment: components["schemas"]["Environment"];
            request_id: components["schemas"]["EventRequestId"];
            actor: components["schemas"]["Actor"];
            data: components["schemas"]["UserEventData"];
        };
        /** @description A user was deleted. */
        UserDeletedEvent: {
            /**
             * @description What happened. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "user.deleted";
            id: components["schemas"]["EventId"];
            occurred_at: components["schemas"]["OccurredAt"];
            environment: components["schemas"]["Environment"];
            request_id: components["schemas"]["EventRequestId"];
            actor: components["schemas"]["Actor"];
            data: components["schemas"]["DeletedUserData"];
        };
        /** @description The user after the change, and what changed. */
        UserEventData: {
            object: components["schemas"]["User"];
            changes: components["schemas"]["UserChanges"];
        };
        /** @description A page of users. */
        UserListResponse: {
            /** @description The users on this page. */
            data: components["schemas"]["User"][];
            meta: components["schemas"]["ListMeta"];
        };
        /**
         * @description A field to sort by. A leading `-` means descending.
         * @default -created_at
         * @enum {string}
         */
        UserOrder: "created_at" | "-created_at" | "updated_at" | "-updated_at" | "name" | "-name";
        /** @description The leads of a user. */
        UserPerformance: {
            /** @description The id of the user. */
            user_id: string;
            /** @description The name of the user. */
            name: string;
            /**
             * Format: int32
             * @description Leads created in the period that are currently assigned to the user.
             */
            assigned: number;
            /**
             * Format: int32
             * @description How many of them ever entered `contacted` or a later status.
             */
            reached_contacted: number;
            /**
             * Format: int32
             * @description How many of them are currently won.
             */
            won: number;
            /**
             * Format: int32
             * @description How many of them are currently lost.
             */
            lost: number;
            /**
             * @description The share of won leads among the leads that are currently won or lost, with four decimals. Null if there are
             *     none.
             */
            win_rate: number | null;
            /**
             * Format: int32
             * @description The median time, in seconds, until a lead first entered `contacted` or a later status. Null if none did.
             */
            median_seconds_to_first_contact: number | null;
            /**
             * @description What these leads are worth, in each currency that they have, in alphabetical order. Empty if none of them has
             *     a value.
             */
            value: components["schemas"]["RowValue"][];
            leads_url: components["schemas"]["LeadsUrl"];
        };
        /** @description The users. */
        UserPerformanceResponse: {
            /** @description The users with their figures. The user with the most leads comes first. */
            data: components["schemas"]["UserPerformance"][];
            meta: components["schemas"]["AnalyticsRowsMeta"];
        };
        /** @description A single user. */
        UserResponse: {
            data: components["schemas"]["User"];
        };
        /** @description A user was updated. */
        UserUpdatedEvent: {
            /**
             * @description What happened. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "user.updated";
            id: components["schemas"]["EventId"];
            occurred_at: components["schemas"]["OccurredAt"];
            environment: components["schemas"]["Environment"];
            request_id: components["schemas"]["EventRequestId"];
            actor: components["schemas"]["Actor"];
            data: components["schemas"]["UserEventData"];
        };
        /** @description How the hook verifies the data it receives. The service never shows the secret. */
        Verification: {
            type: components["schemas"]["VerificationType"];
            /**
             * @description The name of the header with the signature or the secret.
             * @example X-Hub-Signature-256
             */
            header: string | null;
            /**
             * @description The encoding of the `hmac_sha256` signature: `hex`, the default, or `base64`.
             * @example hex
             * @enum {string|null}
             */
            encoding: "hex" | "base64" | null;
            /**
             * @description The text before the `hmac_sha256` signature in its header, such as `sha256=`.
             * @example sha256=
             */
            prefix: string | null;
            /**
             * @description What `hmac_sha256` signs. `{body}` is the default.
             * @example {timestamp}.{body}
             */
            signed: string | null;
            /**
             * @description The name of the header with the `{timestamp}` that is signed.
             * @example X-Request-Timestamp
             */
            timestamp_header: string | null;
            /**
             * Format: int32
             * @description How many seconds the `{timestamp}` that is signed may differ from the time of the request.
             * @example 300
             */
            tolerance: number | null;
            /**
             * @description The JSON Pointer to the field with the secret.
             * @example /google_key
             */
            path: string | null;
        };
        /**
         * @description How the hook verifies the data it receives. `none` does not verify. `standard_webhooks` follows
         *     https://www.standardwebhooks.com. `hmac_sha256` expects the HMAC-SHA256 of the body in a header. `shared_header`
         *     expects the secret itself in a header, and `shared_field` in a field of the body.
         * @enum {string}
         */
        VerificationType: "none" | "standard_webhooks" | "hmac_sha256" | "shared_header" | "shared_field";
        /**
         * Format: int32
         * @description Starts at 1 and grows with each change. The `ETag` header contains this number in quotes.
         * @example 3
         */
        Version: number;
        /**
         * @description Whether the webhook receives events.
         * @enum {string}
         */
        WantedWebhookStatus: "enabled" | "paused";
        /** @description A webhook. Every field is always present. Empty fields are null. */
        Webhook: {
            /**
             * @description The id of the webhook. The service generates it.
             * @example webhook_01m7w4n5e0f7x8k2q4v6n9r3td
             */
            id: string;
            /**
             * Format: uri
             * @description The URL that receives the events.
             * @example https://crm.example.com/hooks/leads
             */
            url: string;
            /**
             * @description The purpose of the webhook.
             * @example The CRM's copy of our leads
             */
            description: string | null;
            event_types: components["schemas"]["EventTypes"];
            status: components["schemas"]["WebhookStatus"];
            retry_schedule: components["schemas"]["RetrySchedule"];
            /**
             * @description Why the service disabled the webhook. Null unless `status` is `disabled`.
             * @example null
             */
            disabled_reason: string | null;
            /**
             * Format: date-time
             * @description When a delivery last succeeded.
             * @example 2026-11-20T10:12:44.310Z
             */
            last_success_at: string | null;
            /**
             * Format: date-time
             * @description While deliveries fail, the time of the earliest undelivered event. Null while they succeed.
             * @example null
             */
            failing_since: string | null;
            /**
             * Format: date-time
             * @description The value of `failing_since` when a delivery succeeded again, or when you enabled the webhook. After an outage,
             *     replay from here.
             * @example null
             */
            last_failing_since: string | null;
            created_at: components["schemas"]["CreatedAt"];
            updated_at: components["schemas"]["UpdatedAt"];
            version: components["schemas"]["Version"];
        };
        /** @description One request to your receiver. */
        WebhookAttempt: {
            /**
             * Format: int32
             * @description The number of the attempt. The first one is 1.
             * @example 1
             */
            number: number;
            /**
             * Format: date-time
             * @description When the attempt began.
             * @example 2026-11-20T10:12:44.051Z
             */
            attempted_at: string;
            /**
             * Format: int32
             * @description How long the attempt took, in milliseconds.
             * @example 31
             */
            duration_ms: number;
            /**
             * Format: int32
             * @description The status that your receiver answered. Null if there was no answer.
             * @example 503
             */
            status_code: number | null;
            /**
             * @description Why there was no answer. Null if there was one.
             * @example null
             */
            error: string | null;
            /**
             * @description The first 2 KiB of the answer. Null if there was no answer, or if it was erased together with personal data.
             * @example Back in a minute.
             */
            response_body: string | null;
        };
        /** @description The delivery of an event to a webhook. */
        WebhookDelivery: {
            /**
             * @description The id of the delivery. The service generates it.
             * @example delivery_01m7w9c4k1e2r8s5t7v3x6y9zb
             */
            id: string;
            /**
             * @description The webhook that receives it.
             * @example webhook_01m7w4n5e0f7x8k2q4v6n9r3td
             */
            webhook_id: string;
            event_id: components["schemas"]["EventId"];
            event_type: components["schemas"]["EventType"];
            status: components["schemas"]["WebhookDeliveryStatus"];
            /**
             * Format: int32
             * @description The number of attempts so far.
             * @example 1
             */
            attempt_count: number;
            /**
             * Format: date-time
             * @description When the next attempt is due. Null after the delivery has succeeded or failed.
             * @example 2026-11-20T10:17:58.870Z
             */
            next_attempt_at: string | null;
            created_at: components["schemas"]["CreatedAt"];
            updated_at: components["schemas"]["UpdatedAt"];
        };
        /** @description A delivery and its attempts. */
        WebhookDeliveryDetails: {
            /**
             * @description The id of the delivery. The service generates it.
             * @example delivery_01m7w9c4k1e2r8s5t7v3x6y9zb
             */
            id: string;
            /**
             * @description The webhook that receives it.
             * @example webhook_01m7w4n5e0f7x8k2q4v6n9r3td
             */
            webhook_id: string;
            event_id: components["schemas"]["EventId"];
            event_type: components["schemas"]["EventType"];
            status: components["schemas"]["WebhookDeliveryStatus"];
            /**
             * Format: int32
             * @description The number of attempts so far.
             * @example 1
             */
            attempt_count: number;
            /**
             * Format: date-time
             * @description When the next attempt is due. Null after the delivery has succeeded or failed.
             * @example 2026-11-20T10:17:58.870Z
             */
            next_attempt_at: string | null;
            created_at: components["schemas"]["CreatedAt"];
            updated_at: components["schemas"]["UpdatedAt"];
            /** @description All attempts, the first one first. */
            attempts: components["schemas"]["WebhookAttempt"][];
        };
        /** @description A single delivery and its attempts. */
        WebhookDeliveryDetailsResponse: {
            data: components["schemas"]["WebhookDeliveryDetails"];
        };
        /** @description A page of deliveries. */
        WebhookDeliveryListResponse: {
            /** @description The deliveries on this page. */
            data: components["schemas"]["WebhookDelivery"][];
            meta: components["schemas"]["ListMeta"];
        };
        /**
         * @description A field to sort by. A leading `-` means descending.
         * @default -created_at
         * @enum {string}
         */
        WebhookDeliveryOrder: "created_at" | "-created_at";
        /** @description A single delivery. */
        WebhookDeliveryResponse: {
            data: components["schemas"]["WebhookDelivery"];
        };
        /**
         * @description `succeeded` after a 2xx answer, `failed` after the last attempt, and `pending` until then.
         * @enum {string}
         */
        WebhookDeliveryStatus: "pending" | "succeeded" | "failed";
        /**
         * @description The purpose of the webhook.
         * @example The CRM's copy of our leads
         */
        WebhookDescription: string | null;
        /** @description The webhook that was disabled. */
        WebhookDisabledData: {
            /** @description The webhook without its `url`, which may contain a secret. */
            object: {
                /** @description The id of the webhook. */
                id: string;
                /** @description The description of the webhook. */
                description: string | null;
                /** @description Why the service disabled the webhook. */
                disabled_reason: string;
                /**
                 * Format: date-time
                 * @description When the earliest undelivered event happened.
                 */
                failing_since: string | null;
                /**
                 * Format: date-time
                 * @description When a delivery last succeeded.
                 */
                last_success_at: string | null;
            };
            changes: components["schemas"]["NoChanges"];
        };
        /** @description A webhook was disabled. */
        WebhookDisabledEvent: {
            /**
             * @description What happened. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "webhook.disabled";
            id: components["schemas"]["EventId"];
            occurred_at: components["schemas"]["OccurredAt"];
            environment: components["schemas"]["Environment"];
            request_id: components["schemas"]["EventRequestId"];
            actor: components["schemas"]["Actor"];
            data: components["schemas"]["WebhookDisabledData"];
        };
        /** @description A page of webhooks. */
        WebhookListResponse: {
            /** @description The webhooks on this page. */
            data: components["schemas"]["Webhook"][];
            meta: components["schemas"]["ListMeta"];
        };
        /**
         * @description A field to sort by. A leading `-` means descending.
         * @default -created_at
         * @enum {string}
         */
        WebhookOrder: "created_at" | "-created_at" | "updated_at" | "-updated_at";
        /** @description The events to be sent again. */
        WebhookReplay: {
            /**
             * Format: date-time
             * @description The beginning of the period.
             * @example 2026-11-20T09:30:00.000Z
             */
            from: string;
            /**
             * Format: date-time
             * @description The end of the period, at the latest the moment of your request.
             * @example 2026-11-20T11:00:00.000Z
             */
            to: string;
            event_types: components["schemas"]["EventTypes"];
            /** @description Whether the service sends only events that failed and never succeeded. */
            only_failed: boolean;
            /** @description Whether the service sends only events that the receiver has not accepted. */
            only_undelivered: boolean;
        };
        /** @description The events to be sent again. */
        WebhookReplayResponse: {
            data: components["schemas"]["WebhookReplay"];
        };
        /** @description A single webhook. */
        WebhookResponse: {
            data: components["schemas"]["Webhook"];
        };
        /**
         * @description `enabled` webhooks receive events. You set `paused` yourself. The service sets `disabled` after 72 hours without
         *     a success, when the receiver answers 410, or when too many events are pending: 100,000 if no delivery has
         *     succeeded for an hour, otherwise 1,000,000.
         * @enum {string}
         */
        WebhookStatus: "enabled" | "paused" | "disabled";
        /** @description The webhook that you test. */
        WebhookTestData: {
            /** @description The id of the webhook. */
            object: {
                /** @description The id of the webhook. */
                id: string;
            };
            changes: components["schemas"]["NoChanges"];
        };
        /** @description You asked for a test event. */
        WebhookTestEvent: {
            /**
             * @description What happened. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "webhook.test";
            id: components["schemas"]["EventId"];
            occurred_at: components["schemas"]["OccurredAt"];
            environment: components["schemas"]["Environment"];
            request_id: components["schemas"]["EventRequestId"];
            actor: components["schemas"]["Actor"];
            data: components["schemas"]["WebhookTestData"];
        };
        /**
         * @description The URL that receives the events: an `https` URL with a public name or address, without spaces, control
         *     characters, user name or password. The operator may allow others. Each environment can have 20 webhooks. Another
         *     one is a 422 with the code `webhook_limit_reached`.
         * @example https://crm.example.com/hooks/leads
         */
        WebhookUrl: string;
        /** @description A webhook and its secret. Only creation and rotation show the secret. */
        WebhookWithSecret: {
            /**
             * @description The id of the webhook. The service generates it.
             * @example webhook_01m7w4n5e0f7x8k2q4v6n9r3td
             */
            id: string;
            /**
             * Format: uri
             * @description The URL that receives the events.
             * @example https://crm.example.com/hooks/leads
             */
            url: string;
            /**
             * @description The purpose of the webhook.
             * @example The CRM's copy of our leads
             */
            description: string | null;
            event_types: components["schemas"]["EventTypes"];
            status: components["schemas"]["WebhookStatus"];
            retry_schedule: components["schemas"]["RetrySchedule"];
            /**
             * @description Why the service disabled the webhook. Null unless `status` is `disabled`.
             * @example null
             */
            disabled_reason: string | null;
            /**
             * Format: date-time
             * @description When a delivery last succeeded.
             * @example 2026-11-20T10:12:44.310Z
             */
            last_success_at: string | null;
            /**
             * Format: date-time
             * @description While deliveries fail, the time of the earliest undelivered event. Null while they succeed.
             * @example null
             */
            failing_since: string | null;
            /**
             * Format: date-time
             * @description The value of `failing_since` when a delivery succeeded again, or when you enabled the webhook. After an outage,
             *     replay from here.
             * @example null
             */
            last_failing_since: string | null;
            created_at: components["schemas"]["CreatedAt"];
            updated_at: components["schemas"]["UpdatedAt"];
            version: components["schemas"]["Version"];
            /**
             * @description The secret that signs the requests: `whsec_` and 32 random bytes in base64, as in Standard Webhooks. The
             *     service shows it only here.
             * @example whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwqk9Xd3vYt0I=
             */
            secret: string;
        };
        /** @description A single webhook and its secret. */
        WebhookWithSecretResponse: {
            data: components["schemas"]["WebhookWithSecret"];
        };
    };
    responses: {
        /**
         * @description A field of the body is invalid, the client lacks a scope (`invalid_scope`), or the client is disabled. `errors`
         *     says which field and why; `id` stands for the client.
         */
        ApiKeyInvalid: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "X-Environment": components["headers"]["XEnvironment"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                "Cache-Control": components["headers"]["NoStore"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /**
         * @description The body is not a JSON object (`invalid_json`), or a query parameter, header or cursor is invalid
         *     (`invalid_parameter`, `invalid_cursor`). `errors` names it. A body may have at most 10 levels and 10,000 values,
         *     or 100,000 values in a batch. Unknown query parameters are invalid. So is a parameter that you send twice,
         *     unless it takes a list. In a query, `+` and `%20` both mean a space; write a plus as `%2B`.
         */
        BadRequest: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "X-Environment": components["headers"]["XEnvironment"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                "Cache-Control": components["headers"]["NoStore"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /**
         * @description A field of the body is invalid, or with `atomic`, an item is. `errors` says which fields and why. Nothing was
         *     written.
         */
        BatchFailed: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "X-Environment": components["headers"]["XEnvironment"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                "Cache-Control": components["headers"]["NoStore"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description A field of the body is invalid. `errors` says which and why. */
        BatchReadFailed: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "X-Environment": components["headers"]["XEnvironment"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                "Cache-Control": components["headers"]["NoStore"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "message": "body must have at most 1 key.",
                 *       "code": "validation_failed",
                 *       "request_id": "req-5f3c9a7e1b2d",
                 *       "errors": {
                 *         "body": [
                 *           "must have at most 1 key"
                 *         ]
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description The body is larger than 8 MiB. */
        BatchTooLarge: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "X-Environment": components["headers"]["XEnvironment"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                "Cache-Control": components["headers"]["NoStore"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "message": "The body must not be larger than 8192 KiB.",
                 *       "code": "body_too_large",
                 *       "request_id": "req-5f3c9a7e1b2d"
                 *     }
                 */
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description The `hub.verify_token` is wrong, or the hook has no `verify_token` or no secret for signatures. */
        ChallengeRefused: {
            headers: {
                "WWW-Authenticate": components["headers"]["WwwAuthenticate"];
                "X-Request-Id": components["headers"]["XRequestId"];
                "X-Environment": components["headers"]["XEnvironment"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                "Cache-Control": components["headers"]["NoStore"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description The content has leads or inbound hooks. You can only archive it. */
        ContentInUse: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "X-Environment": components["headers"]["XEnvironment"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                "Cache-Control": components["headers"]["NoStore"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description A field of the body is invalid, or a rule forbids the change. `errors` says which field and why. */
        ContentInvalid: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "X-Environment": components["headers"]["XEnvironment"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                "Cache-Control": components["headers"]["NoStore"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description A field of the body is invalid, or a rule forbids the conversion. `errors` says which field and why. */
        ConversionFailed: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "X-Environment": components["headers"]["XEnvironment"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                "Cache-Control": components["headers"]["NoStore"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description Your `Accept` header excludes JSON, CSV and NDJSON. */
        ErrorsNotAcceptable: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "X-Environment": components["headers"]["XEnvironment"];
                "Cache-Control": components["headers"]["NoStore"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "message": "The service answers in application/json or text/csv or application/x-ndjson. Your Accept header must allow that.",
                 *       "code": "not_acceptable",
                 *       "request_id": "req-5f3c9a7e1b2d"
                 *     }
                 */
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /**
         * @description Events after this cursor have been deleted, because they were older than 90 days or the sandbox was reset
         *     (`events_expired`). Or the service was restored from a backup older than this cursor (`log_restored`). Ask for
         *     `after=latest`, read the lists again, then continue with that cursor.
         */
        EventsExpired: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "X-Environment": components["headers"]["XEnvironment"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                "Cache-Control": components["headers"]["NoStore"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "message": "after is too old: events after it are gone, because they are kept for 90 days. Ask for after=latest, read the lists again, and continue from that cursor.",
                 *       "code": "events_expired",
                 *       "request_id": "req-5f3c9a7e1b2d",
                 *       "errors": {
                 *         "after": [
                 *           "is too old: events after it are gone, because they are kept for 90 days"
                 *         ]
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description Your `Accept` header excludes both CSV and NDJSON. */
        ExportNotAcceptable: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "X-Environment": components["headers"]["XEnvironment"];
                "Cache-Control": components["headers"]["NoStore"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "message": "The service answers in text/csv or application/x-ndjson. Your Accept header must allow that.",
                 *       "code": "not_acceptable",
                 *       "request_id": "req-5f3c9a7e1b2d"
                 *     }
                 */
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description The `external_id` in the path is too long, or has a control character. */
        ExternalIdInvalid: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "X-Environment": components["headers"]["XEnvironment"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                "Cache-Control": components["headers"]["NoStore"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "message": "external_id must not contain control characters.",
                 *       "errors": {
                 *         "external_id": [
                 *           "must not contain control characters"
                 *         ]
                 *       },
                 *       "code": "validation_failed",
                 *       "request_id": "req-5f3c9a7e1b2d"
                 *     }
                 */
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description The file is larger than 200 MiB, or its rows need more space than one client may use. */
        FileTooLarge: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "X-Environment": components["headers"]["XEnvironment"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                "Cache-Control": components["headers"]["NoStore"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "message": "The file must not be larger than 200 MiB.",
                 *       "code": "body_too_large",
                 *       "request_id": "req-5f3c9a7e1b2d"
                 *     }
                 */
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /**
         * @description Your token or API key lacks a scope that the operation needs (`insufficient_scope`), you sent the request over
         *     plain HTTP (`https_required`), or an inbound hook does not allow the origin of the page (`origin_not_allowed`).
         */
        Forbidden: {
            headers: {
                "WWW-Authenticate": components["headers"]["ScopeChallenge"];
                "X-Request-Id": components["headers"]["XRequestId"];
                "X-Environment": components["headers"]["XEnvironment"];
                RateLimit: components["headers"]["RateLimitIfCounted"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicyIfCounted"];
                "Cache-Control": components["headers"]["NoStore"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description The request line and the headers are larger than 24 KiB. */
        HeadersTooLarge: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "X-Environment": components["headers"]["XEnvironment"];
                "Cache-Control": components["headers"]["NoStore"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "message": "The request line and headers must not be larger than 24 KiB.",
                 *       "code": "headers_too_large",
                 *       "request_id": "req-5f3c9a7e1b2d"
                 *     }
                 */
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description A field of the body is invalid, or a rule forbids the change. `errors` says which field and why. */
        HookInvalid: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "X-Environment": components["headers"]["XEnvironment"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                "Cache-Control": components["headers"]["NoStore"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /**
         * @description The hook has received too many requests, or there is no space to keep rejected data. Wait as many seconds as
         *     `Retry-After` says, then try again.
         */
        InboundRefused: {
            headers: {
                "Retry-After": components["headers"]["RetryAfter"];
                "X-Request-Id": components["headers"]["XRequestId"];
                "X-Environment": components["headers"]["XEnvironment"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                "Cache-Control": components["headers"]["NoStore"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description The delivery's data has been deleted, or you used this `Idempotency-Key` for a different request. */
        InboundReplayFailed: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "X-Environment": components["headers"]["XEnvironment"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                "Cache-Control": components["headers"]["NoStore"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description The body is larger than 1 MiB, or a form with files is larger than 8 MiB. */
        InboundTooLarge: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "X-Environment": components["headers"]["XEnvironment"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                "Cache-Control": components["headers"]["NoStore"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description Something went wrong in the service. Quote the `request_id` when you report it. */
        InternalServerError: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "X-Environment": components["headers"]["XEnvironment"];
                RateLimit: components["headers"]["RateLimitIfCounted"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicyIfCounted"];
                "Cache-Control": components["headers"]["NoStore"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "message": "Something went wrong on our side. Include the request_id when you report it.",
                 *       "code": "internal_error",
                 *       "request_id": "req-5f3c9a7e1b2d"
                 *     }
                 */
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description The API client is unknown or disabled, or its secret is wrong (`invalid_client`). */
        InvalidClient: {
            headers: {
                "WWW-Authenticate": components["headers"]["BasicChallenge"];
                "X-Request-Id": components["headers"]["XRequestId"];
                "X-Environment": components["headers"]["XEnvironment"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                "Cache-Control": components["headers"]["NoStore"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /**
         * @description The service can't read any row of the file, or the options are wrong. `errors` names the first rows, or the
         *     options. Nothing is imported.
         */
        InvalidFile: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "X-Environment": components["headers"]["XEnvironment"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                "Cache-Control": components["headers"]["NoStore"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "message": "Row 2 has 5 cells, but the file has 4 columns.",
                 *       "errors": {
                 *         "rows.2": [
                 *           "has 5 cells, but the file has 4 columns"
                 *         ]
                 *       },
                 *       "code": "invalid_file",
                 *       "request_id": "req-5f3c9a7e1b2d"
                 *     }
                 */
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description You used this `Idempotency-Key` for a different request. */
        KeyReused: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "X-Environment": components["headers"]["XEnvironment"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                "Cache-Control": components["headers"]["NoStore"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description This is the last enabled client with the scope `admin` (`last_admin`). Nothing was changed. */
        LastAdmin: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "X-Environment": components["headers"]["XEnvironment"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                "Cache-Control": components["headers"]["NoStore"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /**
         * @description You have sent too many requests, or your earlier imports use all the space. In that case, start or cancel some
         *     of them, or wait until the queued ones have run.
         */
        NoRoom: {
            headers: {
                "Retry-After": components["headers"]["RetryAfter"];
                "X-Request-Id": components["headers"]["XRequestId"];
                "X-Environment": components["headers"]["XEnvironment"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                "Cache-Control": components["headers"]["NoStore"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description Your `Accept` header excludes JSON. */
        NotAcceptable: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "X-Environment": components["headers"]["XEnvironment"];
                "Cache-Control": components["headers"]["NoStore"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "message": "The service answers in application/json. Your Accept header must allow that.",
                 *       "code": "not_acceptable",
                 *       "request_id": "req-5f3c9a7e1b2d"
                 *     }
                 */
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description The resource does not exist. A malformed id gets the same answer. */
        NotFound: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "X-Environment": components["headers"]["XEnvironment"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                "Cache-Control": components["headers"]["NoStore"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "message": "The lead lead_01m7w4n5e0e3tajy9kep34bze2 does not exist.",
                 *       "code": "not_found",
                 *       "request_id": "req-5f3c9a7e1b2d"
                 *     }
                 */
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description The resource still has the `ETag` that you sent as `If-None-Match`. There is no body. */
        NotModified: {
            headers: {
                ETag: components["headers"]["ETag"];
                "X-Request-Id": components["headers"]["XRequestId"];
                "X-Environment": components["headers"]["XEnvironment"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content?: never;
        };
        /** @description Done. The answer has no body, since your token or API key may not read it. */
        NotShown: {
            headers: {
                "Dry-Run": components["headers"]["DryRun"];
                ETag: components["headers"]["ETag"];
                "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                "X-Request-Id": components["headers"]["XRequestId"];
                "X-Environment": components["headers"]["XEnvironment"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content?: never;
        };
        /** @description Done. The answer has no body, since your token or API key may not read it. */
        NotShownUnkeyed: {
            headers: {
                "Dry-Run": components["headers"]["DryRun"];
                ETag: components["headers"]["ETag"];
                "X-Request-Id": components["headers"]["XRequestId"];
                "X-Environment": components["headers"]["XEnvironment"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content?: never;
        };
        /** @description A field of the body is invalid. `errors` says which field and why. */
        PayloadInvalid: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "X-Environment": components["headers"]["XEnvironment"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                "Cache-Control": components["headers"]["NoStore"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description The body is larger than 256 KiB. */
        PayloadTooLarge: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "X-Environment": components["headers"]["XEnvironment"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                "Cache-Control": components["headers"]["NoStore"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "message": "The body must not be larger than 256 KiB.",
                 *       "code": "body_too_large",
                 *       "request_id": "req-5f3c9a7e1b2d"
                 *     }
                 */
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /**
         * @description The resource has changed since the version in `If-Match`, so nothing was written. Read it again, then repeat
         *     your change.
         */
        PreconditionFailed: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "X-Environment": components["headers"]["XEnvironment"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                "Cache-Control": components["headers"]["NoStore"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "message": "The resource is at version 4, not at \"3\". Read it again, then repeat the change.",
                 *       "code": "version_mismatch",
                 *       "request_id": "req-5f3c9a7e1b2d"
                 *     }
                 */
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description A field of the body is invalid, or a rule forbids the change. `errors` says which field and why. */
        ReplayFailed: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "X-Environment": components["headers"]["XEnvironment"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                "Cache-Control": components["headers"]["NoStore"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description The request announced a body that did not arrive in time. The service closes the connection. */
        RequestTimeout: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "X-Environment": components["headers"]["XEnvironment"];
                "Cache-Control": components["headers"]["NoStore"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "message": "The request did not arrive in time.",
                 *       "code": "request_timeout",
                 *       "request_id": "req-5f3c9a7e1b2d"
                 *     }
                 */
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description This operation exists in the sandbox only. */
        SandboxOnly: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "X-Environment": components["headers"]["XEnvironment"];
                "Cache-Control": components["headers"]["NoStore"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "message": "There is nothing at /v1/sandbox/seed.",
                 *       "code": "not_found",
                 *       "request_id": "req-5f3c9a7e1b2d"
                 *     }
                 */
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description A field of the body is invalid, or the seed was already used. `errors` says which field and why. */
        SeedFailed: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "X-Environment": components["headers"]["XEnvironment"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                "Cache-Control": components["headers"]["NoStore"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /**
         * @description `unavailable`: the service can't reach its database, is busy, or other requests are changing the same data.
         *     `message` says which. Wait as many seconds as `Retry-After` says, then send the request again.
         *
         *     `outcome_unknown`: the connection to the database was lost while your change was being saved, so it may have
         *     been saved. Send it again with the same `Idempotency-Key`. Without a key, first check whether it was saved.
         *
         *     `query_timeout`: the query took longer than 15 seconds. Ask for less, such as a shorter window.
         */
        ServiceUnavailable: {
            headers: {
                "Retry-After": components["headers"]["RetryAfter"];
                "X-Request-Id": components["headers"]["XRequestId"];
                "X-Environment": components["headers"]["XEnvironment"];
                RateLimit: components["headers"]["RateLimitIfCounted"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicyIfCounted"];
                "Cache-Control": components["headers"]["NoStore"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description The signature or secret that the hook requires is missing or wrong. No lead was created. */
        SignatureInvalid: {
            headers: {
                "WWW-Authenticate": components["headers"]["WwwAuthenticate"];
                "X-Request-Id": components["headers"]["XRequestId"];
                "X-Environment": components["headers"]["XEnvironment"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                "Cache-Control": components["headers"]["NoStore"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /**
         * @description You have sent too many requests (`rate_limited`), or too many wrong secrets for this client (`client_locked`).
         *     Wait as many seconds as `Retry-After` says, then try again.
         */
        TooManyAttempts: {
            headers: {
                "Retry-After": components["headers"]["RetryAfter"];
                "X-Request-Id": components["headers"]["XRequestId"];
                "X-Environment": components["headers"]["XEnvironment"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                "Cache-Control": components["headers"]["NoStore"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description You have sent too many requests. Wait as many seconds as `Retry-After` says, then try again. */
        TooManyRequests: {
            headers: {
                "Retry-After": components["headers"]["RetryAfter"];
                "X-Request-Id": components["headers"]["XRequestId"];
                "X-Environment": components["headers"]["XEnvironment"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                "Cache-Control": components["headers"]["NoStore"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "message": "Too many requests: the class \"read\" allows 1200 in 60 seconds. Try again in 17 seconds.",
                 *       "code": "rate_limited",
                 *       "request_id": "req-5f3c9a7e1b2d"
                 *     }
                 */
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /**
         * @description The token or API key is missing or not valid. `code` is `token_missing`, `token_invalid`, `token_expired` or
         *     `token_revoked`.
         */
        Unauthorized: {
            headers: {
                "WWW-Authenticate": components["headers"]["WwwAuthenticate"];
                "X-Request-Id": components["headers"]["XRequestId"];
                "X-Environment": components["headers"]["XEnvironment"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                "Cache-Control": components["headers"]["NoStore"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description The operation does not accept this media type, or the service doesn't support the body's encoding. */
        UnsupportedMediaType: {
            headers: {
                "Accept-Patch": components["headers"]["AcceptPatch"];
                "X-Request-Id": components["headers"]["XRequestId"];
                "X-Environment": components["headers"]["XEnvironment"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                "Cache-Control": components["headers"]["NoStore"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "message": "The body must be application/json in UTF-8, and its Content-Type must say so.",
                 *       "code": "unsupported_media_type",
                 *       "request_id": "req-5f3c9a7e1b2d"
                 *     }
                 */
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description The URL is longer than 8 KiB. */
        UriTooLong: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "X-Environment": components["headers"]["XEnvironment"];
                "Cache-Control": components["headers"]["NoStore"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "message": "The URL must not be longer than 8192 characters.",
                 *       "code": "uri_too_long",
                 *       "request_id": "req-5f3c9a7e1b2d"
                 *     }
                 */
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /**
         * @description The user has assignments, so you can only deactivate the user. Or the `external_id` in the path is too long, or
         *     has a control character.
         */
        UserByExternalIdInUse: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "X-Environment": components["headers"]["XEnvironment"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                "Cache-Control": components["headers"]["NoStore"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description The user has assignments. You can only deactivate the user. */
        UserInUse: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "X-Environment": components["headers"]["XEnvironment"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                "Cache-Control": components["headers"]["NoStore"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /**
         * @description A field of the body is invalid, or a rule forbids the change. `errors` says which field and why. Unknown and
         *     read-only fields are invalid. A text needs at least one visible character, and must not contain a NUL character.
         */
        ValidationFailed: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "X-Environment": components["headers"]["XEnvironment"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                "Cache-Control": components["headers"]["NoStore"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description A field of the body is invalid, or a rule forbids the change. `errors` says which field and why. */
        WebhookInvalid: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "X-Environment": components["headers"]["XEnvironment"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                "Cache-Control": components["headers"]["NoStore"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description The webhook is paused or disabled, or you used this `Idempotency-Key` for a different request. */
        WebhookNotEnabled: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "X-Environment": components["headers"]["XEnvironment"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                "Cache-Control": components["headers"]["NoStore"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApiError"];
            };
        };
    };
    parameters: {
        /**
         * @description The active user on whose behalf you act, instead of your client's own `user_id`. Histories then name the user.
         * @example user_01m7w4n5e0eymtkc82hvhg0xb9
         */
        ActingUser: string;
        /**
         * @description What this API client or inbound hook did.
         * @example client_01m7w4n5e0e0vbbhcpvg4zwf73
         */
        ActorId: string;
        /**
         * @description What was done on behalf of this user.
         * @example user_01m7w4n5e0eymtkc82hvhg0xb9
         */
        ActorUserId: string;
        /**
         * @description The first day, in `timezone`, from 1970-01-01 to 9998-12-31. The default is 29 days before `to`, but not before
         *     1970-01-01. A period has at most 1,100 days.
         * @example 2026-11-01
         */
        AnalyticsFrom: components["schemas"]["Day"];
        /**
         * @description The last day, included, in `timezone`, from 1970-01-01 to 9998-12-31. The default is today.
         * @example 2026-11-30
         */
        AnalyticsTo: components["schemas"]["Day"];
        /**
         * @description The id of the API key. It is not the key itself.
         * @example key_01m7w4n5e0ebj8t9xkcpqz3w5d
         */
        ApiKeyId: string;
        /**
         * @description Results assigned to this user. Use `none` for unassigned results.
         * @example user_01m7w4n5e0eymtkc82hvhg0xb9
         */
        AssignedUserFilter: string;
        /**
         * @description The id of the client.
         * @example client_01m7w4n5e0e0vbbhcpvg4zwf73
         */
        ClientId: string;
        /**
         * @description Leads of this contact. Use `none` for leads without a contact.
         * @example none
         */
        ContactFilter: string;
        /**
         * @description The id of the contact.
         * @example contact_01m7w4n5e0fymt8j463c8gepsz
         */
        ContactId: string;
        /**
         * @description The field to sort by. A leading `-` means descending.
         * @example -updated_at
         */
        ContactSort: components["schemas"]["ContactOrder"];
        /**
         * @description Leads that came from this content. Use `none` for leads that came from no content.
         * @example content_01m7w4n5e0fj29y8hnfp12qb0m
         */
        ContentFilter: string;
        /**
         * @description The id of the content.
         * @example content_01m7w4n5e0fj29y8hnfp12qb0m
         */
        ContentId: string;
        /**
         * @description Results created at this moment or later. Send an RFC 3339 instant or a date. A date includes its whole day.
         * @example 2026-11-01
         */
        CreatedFrom: components["schemas"]["InstantOrDate"];
        /**
         * @description Results created at this moment or earlier. Send an RFC 3339 instant or a date. A date includes its whole day.
         * @example 2026-11-30
         */
        CreatedTo: components["schemas"]["InstantOrDate"];
        /**
         * @description Leads with a value in this currency, an ISO 4217 code. Use `none` for leads without a value.
         * @example EUR
         */
        CurrencyFilter: string;
        /**
         * @description Continues a list where the last page ended. Send that page's `meta.next_cursor` with the same filters and the
         *     same `sort`, but without `page`. You neither miss nor repeat a result when others insert rows. A cursor is valid
         *     only for its list and its environment.
         *
         *     If results change while you read, sort by `created_at`, which never changes: you get each result once. In any
         *     other order, a result that changes can move past the cursor, so you may miss it or get it twice. `updated_at`,
         *     ascending, only repeats results. With `updated_from`, all pages end where the list ended on the first one.
         * @example eyJhZnRlciI6WyIyMDI2LTExLTIwVDA5OjMwOjAwLjAwMFoiXX0
         */
        Cursor: string;
        /**
         * @description With `true`, the service does everything, answers, and rolls it back. Ids in the answer do not exist.
         * @example true
         */
        DryRun: "true" | "false";
        /**
         * @description The result with this email address. Case doesn't matter.
         * @example ada@example.com
         */
        EmailFilter: components["schemas"]["Email"];
        /**
         * @description The id of the event.
         * @example event_01m7w4n5e0e5w9fsgdq3y8x2rc
         */
        EventIdInPath: string;
        /**
         * @description Events of any of these types. Separate types with commas, or repeat the parameter.
         * @example [
         *       "lead.created",
         *       "lead.status_changed"
         *     ]
         */
        EventTypesFilter: components["schemas"]["EventType"][];
        /**
         * @description With `none`, leads without `expected_close_on`.
         * @example none
         */
        ExpectedCloseFilter: "none";
        /**
         * @description Leads with `expected_close_on` on this day or later.
         * @example 2027-01-01
         */
        ExpectedCloseFrom: components["schemas"]["Day"];
        /**
         * @description Leads with `expected_close_on` on this day or earlier.
         * @example 2027-01-31
         */
        ExpectedCloseTo: components["schemas"]["Day"];
        /**
         * @description The result with this external id.
         * @example crm-4711
         */
        ExternalIdFilter: string;
        /**
         * @description The last part of the hook's `url`.
         * @example lph_live_2vXhQ0bJ8mTn4kRz7yWc1sLd6gPf9aUe3iOoBxVqKtM
         */
        HookToken: string;
        /**
         * @description Lets you safely repeat a request whose answer did not arrive. Send a new random UUID with each new request. A
         *     repeat with the same key within 24 hours changes nothing: it gets the stored answer with `Idempotency-Replayed:
         *     true`, if its credentials have the scopes that the answer depends on. Errors are not stored.
         *
         *     Each client has its own keys. A different request with the same key is a 422 with the code
         *     `idempotency_key_reused`. When a client's answers take all their room, a new key is a 429
         *     `idempotency_storage_full`.
         */
        IdempotencyKey: string;
        /**
         * @description The `ETag` that you last read. If the resource has changed since, the service changes nothing and answers 412.
         * @example "3"
         */
        IfMatch: string;
        /**
         * @description The `ETag` that you already have. If it is still current, the service answers 304 without a body.
         * @example "3"
         */
        IfNoneMatch: string;
        /**
         * @description With `*`, the request only creates. If the resource exists, the service changes nothing and answers 412.
         * @example *
         */
        IfNoneMatchToCreate: string;
        /**
         * @description The id of the import.
         * @example import_01m7w4n5e0fpd8q2tn6s3k9vcx
         */
        ImportId: string;
        /**
         * @description The id of the delivery.
         * @example delivery_01m7w4n5e0ea9bcm473x5b9fx3
         */
        InboundDeliveryId: string;
        /**
         * @description The id of the inbound hook.
         * @example hook_01m7w4n5e0fwbtrs2p7d9k4x6v
         */
        InboundHookId: string;
        /**
         * @description The id of the lead.
         * @example lead_01m7w4n5e0e3tajy9kep34bze2
         */
        LeadId: string;
        /**
         * @description The field to sort by. A leading `-` means descending. Leads without `expected_close_on` come last, in both
         *     directions.
         * @example -updated_at
         */
        LeadSort: components["schemas"]["LeadOrder"];
        /**
         * @description Leads with any of these statuses. Separate statuses with commas, or repeat the parameter.
         * @example [
         *       "new",
         *       "contacted"
         *     ]
         */
        LeadStatusFilter: components["schemas"]["LeadStatus"][];
        /**
         * @description Results whose `metadata` has these values. Put the key in brackets, as in `metadata[plan]=gold`. With several
         *     keys, a result must match all of them. The whole value must be equal, with the same case.
         * @example {
         *       "plan": "enterprise"
         *     }
         */
        MetadataFilter: {
            [key: string]: string;
        };
        /**
         * @description The id of the note.
         * @example note_01m7w4n5e0fnt8s5k2x9c3qrzv
         */
        NoteIdInPath: string;
        /**
         * @description The field to sort by. A leading `-` means descending.
         * @example -updated_at
         */
        NoteSort: components["schemas"]["NoteOrder"];
        /**
         * @description What happened at this moment or later. Send an RFC 3339 instant or a date. A date includes its whole day.
         * @example 2026-11-01
         */
        OccurredFrom: components["schemas"]["InstantOrDate"];
        /**
         * @description What happened at this moment or earlier. Send an RFC 3339 instant or a date. A date includes its whole day.
         * @example 2026-11-30
         */
        OccurredTo: components["schemas"]["InstantOrDate"];
        /**
         * @description The page to return. The default is 1. You can't combine it with `cursor`.
         * @example 1
         */
        Page: number;
        /**
         * @description The number of results on a page. If you read nothing for 30 seconds, the service closes the connection.
         * @example 20
         */
        PerPage: number;
        /**
         * @description Results with this phone number. Write it with its country code, in any spelling that a lead's `phone` may have.
         *     In a URL, `+` is a space, so write `%2B` or `00`.
         * @example +4915112345678
         */
        PhoneFilter: string;
        /**
         * @description Notes that are pinned (`true`) or not pinned (`false`).
         * @example true
         */
        PinnedFilter: boolean;
        /**
         * @description Leads that ever entered this status or a later one. The order is `new`, `contacted`, `qualified`, `won`. `lost`
         *     matches only leads that have been lost.
         * @example qualified
         */
        ReachedFilter: components["schemas"]["LeadStatus"];
        /**
         * @description Leads that entered the status in `reached` at this moment or later. Requires `reached`. Send an RFC 3339 instant
         *     or a date. A date includes its whole day.
         * @example 2026-11-01
         */
        ReachedFrom: components["schemas"]["InstantOrDate"];
        /**
         * @description Leads that entered the status in `reached` at this moment or earlier. Requires `reached`. Send an RFC 3339
         *     instant or a date. A date includes its whole day.
         * @example 2026-11-30
         */
        ReachedTo: components["schemas"]["InstantOrDate"];
        /**
         * @description The IANA timezone of the days, UTC by default. A day starts when the clocks there first show its date. With
         *     daylight saving time, it may have 23 or 25 hours.
         * @example Europe/Berlin
         */
        ReportTimezone: components["schemas"]["Timezone"];
        /**
         * @description Finds results that contain all of these words. Each word also matches the beginning of a longer word. Case and
         *     accents don't matter. A search can have at most ten words. Repeated words and beginnings of other words don't
         *     count. The operation's description names the fields. A request with `search` counts in the rate-limit class
         *     `search`.
         * @example ada acme
         */
        Search: string;
        /**
         * @description Leads with exactly this `source_detail`. Use `none` for leads without one.
         * @example Trade show Berlin
         */
        SourceDetailFilter: string;
        /**
         * @description Leads from any of these sources. Separate sources with commas, or repeat the parameter.
         * @example [
         *       "website"
         *     ]
         */
        SourceFilter: components["schemas"]["LeadSource"][];
        /**
         * @description Leads that entered their current status at this moment or later. Send an RFC 3339 instant or a date. A date
         *     includes its whole day.
         * @example 2026-11-01
         */
        StatusChangedFrom: components["schemas"]["InstantOrDate"];
        /**
         * @description Leads that entered their current status at this moment or earlier. Send an RFC 3339 instant or a date. A date
         *     includes its whole day.
         * @example 2026-11-30
         */
        StatusChangedTo: components["schemas"]["InstantOrDate"];
        /**
         * @description Results with any of these tags. Separate tags with commas, or repeat the parameter. You can't filter by a tag
         *     that contains a comma.
         * @example [
         *       "vip"
         *     ]
         */
        Tag: string[];
        /**
         * @description The trace and the span of this attempt ([W3C Trace Context](https://www.w3.org/TR/trace-context/)), if the
         *     service sends traces. Continue the trace if you use tracing; otherwise ignore it. The signature does not cover
         *     it.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        TraceparentHeader: string;
        /**
         * @description Results last changed at this moment or later. Send an RFC 3339 instant or a date. A date includes its whole day.
         *
         *     With this parameter you can poll for changes. Send the greatest `updated_at` that you have seen, and
         *     `sort=updated_at`. The list ends at the start of the oldest change that is still being saved, so that no later
         *     request finds a change before those that you have seen.
         * @example 2026-11-20T09:30:00.000Z
         */
        UpdatedFrom: components["schemas"]["InstantOrDate"];
        /**
         * @description Results last changed at this moment or earlier. Send an RFC 3339 instant or a date. A date includes its whole
         *     day.
         * @example 2026-11-20T18:00:00+01:00
         */
        UpdatedTo: components["schemas"]["InstantOrDate"];
        /**
         * @description The id of the user.
         * @example user_01m7w4n5e0eymtkc82hvhg0xb9
         */
        UserId: string;
        /**
         * @description Leads with a value of this amount or more. Requires `currency`.
         * @example 1000
         */
        ValueFrom: components["schemas"]["Amount"];
        /**
         * @description Leads with a value of this amount or less. Requires `currency`.
         * @example 4999.99
         */
        ValueTo: components["schemas"]["Amount"];
        /**
         * @description The id of the delivery.
         * @example delivery_01m7w9c4k1e2r8s5t7v3x6y9zb
         */
        WebhookDeliveryId: string;
        /**
         * @description The id of the webhook.
         * @example webhook_01m7w4n5e0f7x8k2q4v6n9r3td
         */
        WebhookId: string;
        /**
         * @description The id of the event. It is the same in every attempt and every replay, so you can use it to ignore an event that
         *     you have already seen.
         * @example event_01m7w4n5e0e5w9fsgdq3y8x2ra
         */
        WebhookIdHeader: string;
        /**
         * @description One or more signatures with a space between them, each `v1,` and an HMAC-SHA256 in base64. At least one must match.
         *     During a rotation there is one for each secret. `POST /webhooks` explains how to verify them.
         * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
         */
        WebhookSignatureHeader: string;
        /**
         * @description When this attempt was sent, in seconds since 1970-01-01 UTC. Refuse a request whose timestamp is more than 5 minutes
         *     away from your clock.
         * @example 1795167000
         */
        WebhookTimestampHeader: string;
    };
    requestBodies: never;
    headers: {
        /**
         * @description The media types that a PATCH may have (RFC 5789). Missing for other methods.
         * @example application/json, application/merge-patch+json
         */
        AcceptPatch: string;
        /**
         * @description Asks for HTTP Basic again if you sent your credentials that way. Missing if you sent them in the body (RFC 6749,
         *     section 5.2).
         * @example Basic realm="https://api.example.com/v1", charset="UTF-8"
         */
        BasicChallenge: string;
        /**
         * @description `true` if the request was a dry run (`Dry-Run: true`) that changed nothing.
         * @example true
         */
        DryRun: "true";
        /**
         * @description The version of the resource, in quotes.
         * @example "3"
         */
        ETag: string;
        /**
         * @description `true` if this is the stored answer to an earlier request with the same `Idempotency-Key`.
         * @example true
         */
        IdempotencyReplayed: "true";
        /**
         * @description The URLs of the `first`, `prev`, `next` and `last` page (RFC 8288), relative to the service's URL. The header
         *     leaves out pages that don't exist. If your parameters make a URL longer than 500 characters, it has only `prev`
         *     and `next`. If these would take more than 2,100 characters, `prev` is left out, and then the whole header. In
         *     that case, continue with `meta.next_cursor`.
         * @example </v1/leads?page=1>; rel="first", </v1/leads?page=2>; rel="next", </v1/leads?page=5>; rel="last"
         */
        Link: string;
        /**
         * @description The URLs of the `first`, `prev`, `next` and `last` page (RFC 8288). Missing in CSV and NDJSON.
         * @example </v1/imports/import_01m7w4n5e0fpd8q2tn6s3k9vcx/errors?per_page=20&page=1>; rel="first"
         */
        LinkOfPage: string;
        /**
         * @description The URL of the new resource.
         * @example /v1/leads/lead_01m7w4n5e0e3tajy9kep34bze2
         */
        Location: string;
        /**
         * @description Caches must not store this answer.
         * @example no-store
         */
        NoStore: string;
        /**
         * @description How many seconds you may cache the answer.
         * @example public, max-age=300
         */
        PublicCache: string;
        /**
         * @description The operation's rate-limit class, the remaining requests (`r`), and the seconds until the window ends (`t`).
         * @example "read"; r=1199; t=60
         */
        RateLimit: string;
        /**
         * @description The operation's rate-limit class, the remaining requests (`r`), and the seconds until the window ends (`t`).
         *     Missing if the service rejected the request before counting it.
         * @example "read"; r=1199; t=60
         */
        RateLimitIfCounted: string;
        /**
         * @description The operation's rate-limit class, and how many requests you may send (`q`) in a window of `w` seconds.
         * @example "read"; q=1200; w=60
         */
        RateLimitPolicy: string;
        /**
         * @description The operation's rate-limit class, and how many requests you may send (`q`) in a window of `w` seconds. Missing
         *     if the service rejected the request before counting it.
         * @example "read"; q=1200; w=60
         */
        RateLimitPolicyIfCounted: string;
        /**
         * @description How many seconds to wait before you try again.
         * @example 17
         */
        RetryAfter: number;
        /**
         * @description The missing scope. The header is missing if the request was rejected for another reason.
         * @example Bearer error="insufficient_scope", scope="leads:write", resource_metadata="https://api.example.com/.well-known/oauth-protected-resource/v1"
         */
        ScopeChallenge: string;
        /**
         * @description The kind of credential that the operation expects. For a token, also the URL that says how to get one (RFC
         *     9728).
         * @example Bearer error="invalid_token", resource_metadata="https://api.example.com/.well-known/oauth-protected-resource/v1"
         */
        WwwAuthenticate: string;
        /**
         * @description The environment that answered.
         * @example production
         */
        XEnvironment: components["schemas"]["Environment"];
        /**
         * @description The id of this request. Errors, events and the service's log contain it too. Send your own in `X-Request-Id` (8
         *     to 64 of the characters `A-Z a-z 0-9 . _ -`); otherwise, the service generates one.
         * @example req-5f3c9a7e1b2d
         */
        XRequestId: string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    createToken: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description The credentials of your client, as JSON or as a form. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "grant_type": "client_credentials",
                 *       "client_id": "client_01m7w4n5e0e0vbbhcpvg4zwf73",
                 *       "client_secret": "lps_live_2vXhQ0bJ8mTn4kRz7yWc1sLd6gPf9aUe3iOoBxVqKtM"
                 *     }
                 */
                "application/json": components["schemas"]["TokenRequest"];
                /**
                 * @example {
                 *       "grant_type": "client_credentials",
                 *       "client_id": "client_01m7w4n5e0e0vbbhcpvg4zwf73",
                 *       "client_secret": "lps_live_2vXhQ0bJ8mTn4kRz7yWc1sLd6gPf9aUe3iOoBxVqKtM",
                 *       "scope": "leads:read leads:write"
                 *     }
                 */
                "application/x-www-form-urlencoded": components["schemas"]["TokenRequest"];
            };
        };
        responses: {
            /** @description The access token. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["NoStore"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Environment": components["headers"]["XEnvironment"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "access_token": "eyJhbGciOiJFZERTQSIsInR5cCI6ImF0K2p3dCJ9.eyJzY29wZSI6InJlYWQgd3JpdGUifQ.c2lnbmF0dXJl",
                     *       "token_type": "Bearer",
                     *       "expires_in": 3600,
                     *       "scope": "read write"
                     *     }
                     */
                    "application/json": components["schemas"]["TokenResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["InvalidClient"];
            403: components["responses"]["Forbidden"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["UriTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyAttempts"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    revokeToken: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description The token. Add your client's credentials unless you send them by HTTP Basic. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "token": "eyJhbGciOiJFZERTQSIsInR5cCI6ImF0K2p3dCJ9.eyJzY29wZSI6InJlYWQgd3JpdGUifQ.c2lnbmF0dXJl",
                 *       "client_id": "client_01m7w4n5e0e0vbbhcpvg4zwf73",
                 *       "client_secret": "lps_live_2vXhQ0bJ8mTn4kRz7yWc1sLd6gPf9aUe3iOoBxVqKtM"
                 *     }
                 */
                "application/json": components["schemas"]["RevokeRequest"];
                /**
                 * @example {
                 *       "token": "eyJhbGciOiJFZERTQSIsInR5cCI6ImF0K2p3dCJ9.eyJzY29wZSI6InJlYWQgd3JpdGUifQ.c2lnbmF0dXJl",
                 *       "token_type_hint": "access_token",
                 *       "client_id": "client_01m7w4n5e0e0vbbhcpvg4zwf73",
                 *       "client_secret": "lps_live_2vXhQ0bJ8mTn4kRz7yWc1sLd6gPf9aUe3iOoBxVqKtM"
                 *     }
                 */
                "application/x-www-form-urlencoded": components["schemas"]["RevokeRequest"];
            };
        };
        responses: {
            /** @description The token is not valid, or no longer valid. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["NoStore"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Environment": components["headers"]["XEnvironment"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example {} */
                    "application/json": components["schemas"]["RevokeResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["InvalidClient"];
            403: components["responses"]["Forbidden"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["UriTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyAttempts"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getCurrentClient: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Your client. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Environment": components["headers"]["XEnvironment"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "client_id": "client_01m7w4n5e0e0vbbhcpvg4zwf73",
                     *         "name": "Website backend",
                     *         "user_id": null,
                     *         "environment": "production",
                     *         "scopes": [
                     *           "read",
                     *           "write"
                     *         ],
                     *         "credential": "token",
                     *         "key": null,
                     *         "expires_at": "2026-11-20T10:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["CurrentClientResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getJwks: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The keys. After a rotation, the old key remains until its last token has expired. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["PublicCache"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Environment": components["headers"]["XEnvironment"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "keys": [
                     *         {
                     *           "kty": "OKP",
                     *           "crv": "Ed25519",
                     *           "x": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo",
                     *           "kid": "3f0c9a52-6b1e-4c57-9a0d-2f6f4d1e8b90",
                     *           "alg": "EdDSA",
                     *           "use": "sig"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Jwks"];
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            408: components["responses"]["RequestTimeout"];
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listLeads: {
        parameters: {
            query: {
                /**
                 * @description The page to return. The default is 1. You can't combine it with `cursor`.
                 * @example 1
                 */
                page?: components["parameters"]["Page"];
                /**
                 * @description The number of results on a page. If you read nothing for 30 seconds, the service closes the connection.
                 * @example 20
                 */
                per_page: components["parameters"]["PerPage"];
                /**
                 * @description Continues a list where the last page ended. Send that page's `meta.next_cursor` with the same filters and the
                 *     same `sort`, but without `page`. You neither miss nor repeat a result when others insert rows. A cursor is valid
                 *     only for its list and its environment.
                 *
                 *     If results change while you read, sort by `created_at`, which never changes: you get each result once. In any
                 *     other order, a result that changes can move past the cursor, so you may miss it or get it twice. `updated_at`,
                 *     ascending, only repeats results. With `updated_from`, all pages end where the list ended on the first one.
                 * @example eyJhZnRlciI6WyIyMDI2LTExLTIwVDA5OjMwOjAwLjAwMFoiXX0
                 */
                cursor?: components["parameters"]["Cursor"];
                /**
                 * @description Leads with any of these statuses. Separate statuses with commas, or repeat the parameter.
                 * @example [
                 *       "new",
                 *       "contacted"
                 *     ]
                 */
                status?: components["parameters"]["LeadStatusFilter"];
                /**
                 * @description Leads from any of these sources. Separate sources with commas, or repeat the parameter.
                 * @example [
                 *       "website"
                 *     ]
                 */
                source?: components["parameters"]["SourceFilter"];
                /**
                 * @description Leads with exactly this `source_detail`. Use `none` for leads without one.
                 * @example Trade show Berlin
                 */
                source_detail?: components["parameters"]["SourceDetailFilter"];
                /**
                 * @description Results with any of these tags. Separate tags with commas, or repeat the parameter. You can't filter by a tag
                 *     that contains a comma.
                 * @example [
                 *       "vip"
                 *     ]
                 */
                tag?: components["parameters"]["Tag"];
                /**
                 * @description Results whose `metadata` has these values. Put the key in brackets, as in `metadata[plan]=gold`. With several
                 *     keys, a result must match all of them. The whole value must be equal, with the same case.
                 * @example {
                 *       "plan": "enterprise"
                 *     }
                 */
                metadata?: components["parameters"]["MetadataFilter"];
                /**
                 * @description Finds results that contain all of these words. Each word also matches the beginning of a longer word. Case and
                 *     accents don't matter. A search can have at most ten words. Repeated words and beginnings of other words don't
                 *     count. The operation's description names the fields. A request with `search` counts in the rate-limit class
                 *     `search`.
                 * @example ada acme
                 */
                search?: components["parameters"]["Search"];
                /**
                 * @description Results created at this moment or later. Send an RFC 3339 instant or a date. A date includes its whole day.
                 * @example 2026-11-01
                 */
                created_from?: components["parameters"]["CreatedFrom"];
                /**
                 * @description Results created at this moment or earlier. Send an RFC 3339 instant or a date. A date includes its whole day.
                 * @example 2026-11-30
                 */
                created_to?: components["parameters"]["CreatedTo"];
                /**
                 * @description Results last changed at this moment or later. Send an RFC 3339 instant or a date. A date includes its whole day.
                 *
                 *     With this parameter you can poll for changes. Send the greatest `updated_at` that you have seen, and
                 *     `sort=updated_at`. The list ends at the start of the oldest change that is still being saved, so that no later
                 *     request finds a change before those that you have seen.
                 * @example 2026-11-20T09:30:00.000Z
                 */
                updated_from?: components["parameters"]["UpdatedFrom"];
                /**
                 * @description Results last changed at this moment or earlier. Send an RFC 3339 instant or a date. A date includes its whole
                 *     day.
                 * @example 2026-11-20T18:00:00+01:00
                 */
                updated_to?: components["parameters"]["UpdatedTo"];
                /**
                 * @description Leads that ever entered this status or a later one. The order is `new`, `contacted`, `qualified`, `won`. `lost`
                 *     matches only leads that have been lost.
                 * @example qualified
                 */
                reached?: components["parameters"]["ReachedFilter"];
                /**
                 * @description Leads that entered the status in `reached` at this moment or later. Requires `reached`. Send an RFC 3339 instant
                 *     or a date. A date includes its whole day.
                 * @example 2026-11-01
                 */
                reached_from?: components["parameters"]["ReachedFrom"];
                /**
                 * @description Leads that entered the status in `reached` at this moment or earlier. Requires `reached`. Send an RFC 3339
                 *     instant or a date. A date includes its whole day.
                 * @example 2026-11-30
                 */
                reached_to?: components["parameters"]["ReachedTo"];
                /**
                 * @description Leads that entered their current status at this moment or later. Send an RFC 3339 instant or a date. A date
                 *     includes its whole day.
                 * @example 2026-11-01
                 */
                status_changed_from?: components["parameters"]["StatusChangedFrom"];
                /**
                 * @description Leads that entered their current status at this moment or earlier. Send an RFC 3339 instant or a date. A date
                 *     includes its whole day.
                 * @example 2026-11-30
                 */
                status_changed_to?: components["parameters"]["StatusChangedTo"];
                /**
                 * @description Leads with a value in this currency, an ISO 4217 code. Use `none` for leads without a value.
                 * @example EUR
                 */
                currency?: components["parameters"]["CurrencyFilter"];
                /**
                 * @description Leads with a value of this amount or more. Requires `currency`.
                 * @example 1000
                 */
                value_from?: components["parameters"]["ValueFrom"];
                /**
                 * @description Leads with a value of this amount or less. Requires `currency`.
                 * @example 4999.99
                 */
                value_to?: components["parameters"]["ValueTo"];
                /**
                 * @description Leads with `expected_close_on` on this day or later.
                 * @example 2027-01-01
                 */
                expected_close_from?: components["parameters"]["ExpectedCloseFrom"];
                /**
                 * @description Leads with `expected_close_on` on this day or earlier.
                 * @example 2027-01-31
                 */
                expected_close_to?: components["parameters"]["ExpectedCloseTo"];
                /**
                 * @description With `none`, leads without `expected_close_on`.
                 * @example none
                 */
                expected_close_on?: components["parameters"]["ExpectedCloseFilter"];
                /**
                 * @description Results assigned to this user. Use `none` for unassigned results.
                 * @example user_01m7w4n5e0eymtkc82hvhg0xb9
                 */
                assigned_user_id?: components["parameters"]["AssignedUserFilter"];
                /**
                 * @description Leads that came from this content. Use `none` for leads that came from no content.
                 * @example content_01m7w4n5e0fj29y8hnfp12qb0m
                 */
                content_id?: components["parameters"]["ContentFilter"];
                /**
                 * @description Leads of this contact. Use `none` for leads without a contact.
                 * @example none
                 */
                contact_id?: components["parameters"]["ContactFilter"];
                /**
                 * @description The result with this email address. Case doesn't matter.
                 * @example ada@example.com
                 */
                email?: components["parameters"]["EmailFilter"];
                /**
                 * @description Results with this phone number. Write it with its country code, in any spelling that a lead's `phone` may have.
                 *     In a URL, `+` is a space, so write `%2B` or `00`.
                 * @example +4915112345678
                 */
                phone?: components["parameters"]["PhoneFilter"];
                /**
                 * @description The result with this external id.
                 * @example crm-4711
                 */
                external_id?: components["parameters"]["ExternalIdFilter"];
                /**
                 * @description The field to sort by. A leading `-` means descending. Leads without `expected_close_on` come last, in both
                 *     directions.
                 * @example -updated_at
                 */
                sort: components["parameters"]["LeadSort"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of leads. A page after the last one is empty. */
            200: {
                headers: {
                    Link: components["headers"]["Link"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Environment": components["headers"]["XEnvironment"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LeadListResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createLead: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Lets you safely repeat a request whose answer did not arrive. Send a new random UUID with each new request. A
                 *     repeat with the same key within 24 hours changes nothing: it gets the stored answer with `Idempotency-Replayed:
                 *     true`, if its credentials have the scopes that the answer depends on. Errors are not stored.
                 *
                 *     Each client has its own keys. A different request with the same key is a 422 with the code
                 *     `idempotency_key_reused`. When a client's answers take all their room, a new key is a 429
                 *     `idempotency_storage_full`.
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /**
                 * @description With `true`, the service does everything, answers, and rolls it back. Ids in the answer do not exist.
                 * @example true
                 */
                "Dry-Run"?: components["parameters"]["DryRun"];
                /**
                 * @description The active user on whose behalf you act, instead of your client's own `user_id`. Histories then name the user.
                 * @example user_01m7w4n5e0eymtkc82hvhg0xb9
                 */
                "Acting-User"?: components["parameters"]["ActingUser"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description The new lead. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateLead"];
            };
        };
        responses: {
            /** @description The lead was created. */
            201: {
                headers: {
                    Location: components["headers"]["Location"];
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    "Dry-Run": components["headers"]["DryRun"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Environment": components["headers"]["XEnvironment"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LeadResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["UriTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    batchCreateLeads: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Lets you safely repeat a request whose answer did not arrive. Send a new random UUID with each new request. A
                 *     repeat with the same key within 24 hours changes nothing: it gets the stored answer with `Idempotency-Replayed:
                 *     true`, if its credentials have the scopes that the answer depends on. Errors are not stored.
                 *
                 *     Each client has its own keys. A different request with the same key is a 422 with the code
                 *     `idempotency_key_reused`. When a client's answers take all their room, a new key is a 429
                 *     `idempotency_storage_full`.
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /**
                 * @description With `true`, the service does everything, answers, and rolls it back. Ids in the answer do not exist.
                 * @example true
                 */
                "Dry-Run"?: components["parameters"]["DryRun"];
                /**
                 * @description The active user on whose behalf you act, instead of your client's own `user_id`. Histories then name the user.
                 * @example user_01m7w4n5e0eymtkc82hvhg0xb9
                 */
                "Acting-User"?: components["parameters"]["ActingUser"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description The new leads. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "items": [
                 *         {
                 *           "name": "Ada Lovelace",
                 *           "email": "ada@example.com",
                 *           "source": "referral"
                 *         },
                 *         {
                 *           "name": "Grace Hopper",
                 *           "email": "grace@example.com"
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["BatchCreateLeads"];
            };
        };
        responses: {
            /** @description What happened to each item. */
            200: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    "Dry-Run": components["headers"]["DryRun"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Environment": components["headers"]["XEnvironment"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LeadBatchResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["BatchTooLarge"];
            414: components["responses"]["UriTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["BatchFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    batchUpsertLeads: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Lets you safely repeat a request whose answer did not arrive. Send a new random UUID with each new request. A
                 *     repeat with the same key within 24 hours changes nothing: it gets the stored answer with `Idempotency-Replayed:
                 *     true`, if its credentials have the scopes that the answer depends on. Errors are not stored.
                 *
                 *     Each client has its own keys. A different request with the same key is a 422 with the code
                 *     `idempotency_key_reused`. When a client's answers take all their room, a new key is a 429
                 *     `idempotency_storage_full`.
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /**
                 * @description With `true`, the service does everything, answers, and rolls it back. Ids in the answer do not exist.
                 * @example true
                 */
                "Dry-Run"?: components["parameters"]["DryRun"];
                /**
                 * @description The active user on whose behalf you act, instead of your client's own `user_id`. Histories then name the user.
                 * @example user_01m7w4n5e0eymtkc82hvhg0xb9
                 */
                "Acting-User"?: components["parameters"]["ActingUser"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description The leads to upsert, and the field that identifies them. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "match": "external_id",
                 *       "items": [
                 *         {
                 *           "external_id": "crm-4711",
                 *           "name": "Ada Lovelace",
                 *           "email": "ada@example.com"
                 *         },
                 *         {
                 *           "external_id": "crm-4712",
                 *           "company": "Navy"
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["BatchUpsertLeads"];
            };
        };
        responses: {
            /** @description What happened to each item. */
            200: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    "Dry-Run": components["headers"]["DryRun"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Environment": components["headers"]["XEnvironment"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LeadBatchResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["BatchTooLarge"];
            414: components["responses"]["UriTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["BatchFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    batchUpdateLeads: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Lets you safely repeat a request whose answer did not arrive. Send a new random UUID with each new request. A
                 *     repeat with the same key within 24 hours changes nothing: it gets the stored answer with `Idempotency-Replayed:
                 *     true`, if its credentials have the scopes that the answer depends on. Errors are not stored.
                 *
                 *     Each client has its own keys. A different request with the same key is a 422 with the code
                 *     `idempotency_key_reused`. When a client's answers take all their room, a new key is a 429
                 *     `idempotency_storage_full`.
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /**
                 * @description With `true`, the service does everything, answers, and rolls it back. Ids in the answer do not exist.
                 * @example true
                 */
                "Dry-Run"?: components["parameters"]["DryRun"];
                /**
                 * @description The active user on whose behalf you act, instead of your client's own `user_id`. Histories then name the user.
                 * @example user_01m7w4n5e0eymtkc82hvhg0xb9
                 */
                "Acting-User"?: components["parameters"]["ActingUser"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description The changes. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "items": [
                 *         {
                 *           "id": "lead_01m7w4n5e0e3tajy9kep34bze2",
                 *           "version": 3,
                 *           "patch": {
                 *             "status": "won"
                 *           }
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["BatchUpdateLeads"];
            };
        };
        responses: {
            /** @description What happened to each item. */
            200: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    "Dry-Run": components["headers"]["DryRun"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Environment": components["headers"]["XEnvironment"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LeadBatchResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["BatchTooLarge"];
            414: components["responses"]["UriTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["BatchFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    batchDeleteLeads: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Lets you safely repeat a request whose answer did not arrive. Send a new random UUID with each new request. A
                 *     repeat with the same key within 24 hours changes nothing: it gets the stored answer with `Idempotency-Replayed:
                 *     true`, if its credentials have the scopes that the answer depends on. Errors are not stored.
                 *
                 *     Each client has its own keys. A different request with the same key is a 422 with the code
                 *     `idempotency_key_reused`. When a client's answers take all their room, a new key is a 429
                 *     `idempotency_storage_full`.
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /**
                 * @description With `true`, the service does everything, answers, and rolls it back. Ids in the answer do not exist.
                 * @example true
                 */
                "Dry-Run"?: components["parameters"]["DryRun"];
                /**
                 * @description The active user on whose behalf you act, instead of your client's own `user_id`. Histories then name the user.
                 * @example user_01m7w4n5e0eymtkc82hvhg0xb9
                 */
                "Acting-User"?: components["parameters"]["ActingUser"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description The leads to delete. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "ids": [
                 *         "lead_01m7w4n5e0e3tajy9kep34bze2"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["BatchDeleteLeads"];
            };
        };
        responses: {
            /** @description What happened to each id. */
            200: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    "Dry-Run": components["headers"]["DryRun"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Environment": components["headers"]["XEnvironment"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BatchDeletionResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["BatchTooLarge"];
            414: components["responses"]["UriTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["BatchFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    batchReadLeads: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description The values that identify the leads. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "emails": [
                 *         "ada@example.com",
                 *         "grace@example.com"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["BatchReadLeads"];
            };
        };
        responses: {
            /** @description A result for each value. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Environment": components["headers"]["XEnvironment"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LeadBatchResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["BatchTooLarge"];
            414: components["responses"]["UriTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["BatchReadFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    exportLeads: {
        parameters: {
            query: {
                /**
                 * @description Leads with any of these statuses. Separate statuses with commas, or repeat the parameter.
                 * @example [
                 *       "new",
                 *       "contacted"
                 *     ]
                 */
                status?: components["parameters"]["LeadStatusFilter"];
                /**
                 * @description Leads from any of these sources. Separate sources with commas, or repeat the parameter.
                 * @example [
                 *       "website"
                 *     ]
                 */
                source?: components["parameters"]["SourceFilter"];
                /**
                 * @description Leads with exactly this `source_detail`. Use `none` for leads without one.
                 * @example Trade show Berlin
                 */
                source_detail?: components["parameters"]["SourceDetailFilter"];
                /**
                 * @description Results with any of these tags. Separate tags with commas, or repeat the parameter. You can't filter by a tag
                 *     that contains a comma.
                 * @example [
                 *       "vip"
                 *     ]
                 */
                tag?: components["parameters"]["Tag"];
                /**
                 * @description Results whose `metadata` has these values. Put the key in brackets, as in `metadata[plan]=gold`. With several
                 *     keys, a result must match all of them. The whole value must be equal, with the same case.
                 * @example {
                 *       "plan": "enterprise"
                 *     }
                 */
                metadata?: components["parameters"]["MetadataFilter"];
                /**
                 * @description Finds results that contain all of these words. Each word also matches the beginning of a longer word. Case and
                 *     accents don't matter. A search can have at most ten words. Repeated words and beginnings of other words don't
                 *     count. The operation's description names the fields. A request with `search` counts in the rate-limit class
                 *     `search`.
                 * @example ada acme
                 */
                search?: components["parameters"]["Search"];
                /**
                 * @description Results created at this moment or later. Send an RFC 3339 instant or a date. A date includes its whole day.
                 * @example 2026-11-01
                 */
                created_from?: components["parameters"]["CreatedFrom"];
                /**
                 * @description Results created at this moment or earlier. Send an RFC 3339 instant or a date. A date includes its whole day.
                 * @example 2026-11-30
                 */
                created_to?: components["parameters"]["CreatedTo"];
                /**
                 * @description Results last changed at this moment or later. Send an RFC 3339 instant or a date. A date includes its whole day.
                 *
                 *     With this parameter you can poll for changes. Send the greatest `updated_at` that you have seen, and
                 *     `sort=updated_at`. The list ends at the start of the oldest change that is still being saved, so that no later
                 *     request finds a change before those that you have seen.
                 * @example 2026-11-20T09:30:00.000Z
                 */
                updated_from?: components["parameters"]["UpdatedFrom"];
                /**
                 * @description Results last changed at this moment or earlier. Send an RFC 3339 instant or a date. A date includes its whole
                 *     day.
                 * @example 2026-11-20T18:00:00+01:00
                 */
                updated_to?: components["parameters"]["UpdatedTo"];
                /**
                 * @description Leads that ever entered this status or a later one. The order is `new`, `contacted`, `qualified`, `won`. `lost`
                 *     matches only leads that have been lost.
                 * @example qualified
                 */
                reached?: components["parameters"]["ReachedFilter"];
                /**
                 * @description Leads that entered the status in `reached` at this moment or later. Requires `reached`. Send an RFC 3339 instant
                 *     or a date. A date includes its whole day.
                 * @example 2026-11-01
                 */
                reached_from?: components["parameters"]["ReachedFrom"];
                /**
                 * @description Leads that entered the status in `reached` at this moment or earlier. Requires `reached`. Send an RFC 3339
                 *     instant or a date. A date includes its whole day.
                 * @example 2026-11-30
                 */
                reached_to?: components["parameters"]["ReachedTo"];
                /**
                 * @description Leads that entered their current status at this moment or later. Send an RFC 3339 instant or a date. A date
                 *     includes its whole day.
                 * @example 2026-11-01
                 */
                status_changed_from?: components["parameters"]["StatusChangedFrom"];
                /**
                 * @description Leads that entered their current status at this moment or earlier. Send an RFC 3339 instant or a date. A date
                 *     includes its whole day.
                 * @example 2026-11-30
                 */
                status_changed_to?: components["parameters"]["StatusChangedTo"];
                /**
                 * @description Leads with a value in this currency, an ISO 4217 code. Use `none` for leads without a value.
                 * @example EUR
                 */
                currency?: components["parameters"]["CurrencyFilter"];
                /**
                 * @description Leads with a value of this amount or more. Requires `currency`.
                 * @example 1000
                 */
                value_from?: components["parameters"]["ValueFrom"];
                /**
                 * @description Leads with a value of this amount or less. Requires `currency`.
                 * @example 4999.99
                 */
                value_to?: components["parameters"]["ValueTo"];
                /**
                 * @description Leads with `expected_close_on` on this day or later.
                 * @example 2027-01-01
                 */
                expected_close_from?: components["parameters"]["ExpectedCloseFrom"];
                /**
                 * @description Leads with `expected_close_on` on this day or earlier.
                 * @example 2027-01-31
                 */
                expected_close_to?: components["parameters"]["ExpectedCloseTo"];
                /**
                 * @description With `none`, leads without `expected_close_on`.
                 * @example none
                 */
                expected_close_on?: components["parameters"]["ExpectedCloseFilter"];
                /**
                 * @description Results assigned to this user. Use `none` for unassigned results.
                 * @example user_01m7w4n5e0eymtkc82hvhg0xb9
                 */
                assigned_user_id?: components["parameters"]["AssignedUserFilter"];
                /**
                 * @description Leads that came from this content. Use `none` for leads that came from no content.
                 * @example content_01m7w4n5e0fj29y8hnfp12qb0m
                 */
                content_id?: components["parameters"]["ContentFilter"];
                /**
                 * @description Leads of this contact. Use `none` for leads without a contact.
                 * @example none
                 */
                contact_id?: components["parameters"]["ContactFilter"];
                /**
                 * @description The result with this email address. Case doesn't matter.
                 * @example ada@example.com
                 */
                email?: components["parameters"]["EmailFilter"];
                /**
                 * @description Results with this phone number. Write it with its country code, in any spelling that a lead's `phone` may have.
                 *     In a URL, `+` is a space, so write `%2B` or `00`.
                 * @example +4915112345678
                 */
                phone?: components["parameters"]["PhoneFilter"];
                /**
                 * @description The result with this external id.
                 * @example crm-4711
                 */
                external_id?: components["parameters"]["ExternalIdFilter"];
                /**
                 * @description The field to sort by. A leading `-` means descending. Leads without `expected_close_on` come last, in both
                 *     directions.
                 * @example -updated_at
                 */
                sort: components["parameters"]["LeadSort"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All leads that match. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["NoStore"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Environment": components["headers"]["XEnvironment"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example id,name,email,phone,status,source,source_detail,company,tags,assigned_user_id,content_id,contact_id,external_id,lost_reason,value.amount,value.currency,expected_close_on,metadata,status_changed_at,first_contacted_at,first_qualified_at,first_won_at,first_lost_at,created_at,updated_at,version
                     *     lead_01m7w4n5e0e3tajy9kep34bze2,Ada Lovelace,ada@example.com,'+4915112345678,new,website,Trade show Berlin,Analytical Engines,"[""vip"",""newsletter""]",user_01m7w4n5e0eymtkc82hvhg0xb9,content_01m7w4n5e0fj29y8hnfp12qb0m,,crm-4711,,1250.00,EUR,2027-01-31,"{""plan"":""enterprise""}",2026-11-20T09:30:00.000Z,,,,,2026-11-20T09:30:00.000Z,2026-11-20T09:30:00.000Z,1
                     */
                    "text/csv": string;
                    "application/x-ndjson": components["schemas"]["Lead"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["ExportNotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getLeadByExternalId: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` that you already have. If it is still current, the service answers 304 without a body.
                 * @example "3"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description The lead's id in your own system. Percent-encode it, so that a slash becomes `%2F`. It can't contain control
                 *     characters, such as a line feed.
                 * @example crm-4711
                 */
                external_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The lead. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Environment": components["headers"]["XEnvironment"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LeadResponse"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            414: components["responses"]["UriTooLong"];
            422: components["responses"]["ExternalIdInvalid"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    upsertLead: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` that you last read. If the resource has changed since, the service changes nothing and answers 412.
                 * @example "3"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
                /**
                 * @description With `*`, the request only creates. If the resource exists, the service changes nothing and answers 412.
                 * @example *
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatchToCreate"];
                /**
                 * @description With `true`, the service does everything, answers, and rolls it back. Ids in the answer do not exist.
                 * @example true
                 */
                "Dry-Run"?: components["parameters"]["DryRun"];
                /**
                 * @description The active user on whose behalf you act, instead of your client's own `user_id`. Histories then name the user.
                 * @example user_01m7w4n5e0eymtkc82hvhg0xb9
                 */
                "Acting-User"?: components["parameters"]["ActingUser"];
            };
            path: {
                /**
                 * @description The lead's id in your own system. Percent-encode it, so that a slash becomes `%2F`. It can't contain control
                 *     characters, such as a line feed.
                 * @example crm-4711
                 */
                external_id: string;
            };
            cookie?: never;
        };
        /** @description The fields to set. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Katherine Johnson",
                 *       "email": "katherine@example.com",
                 *       "company": "Flight Research"
                 *     }
                 */
                "application/json": components["schemas"]["UpsertLead"];
                /**
                 * @example {
                 *       "name": "Katherine Johnson",
                 *       "email": "katherine@example.com",
                 *       "company": "Flight Research"
                 *     }
                 */
                "application/merge-patch+json": components["schemas"]["UpsertLead"];
            };
        };
        responses: {
            /** @description The lead after the change. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Dry-Run": components["headers"]["DryRun"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Environment": components["headers"]["XEnvironment"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LeadResponse"];
                };
            };
            /** @description The new lead. */
            201: {
                headers: {
                    Location: components["headers"]["Location"];
                    ETag: components["headers"]["ETag"];
                    "Dry-Run": components["headers"]["DryRun"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Environment": components["headers"]["XEnvironment"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LeadResponse"];
                };
            };
            204: components["responses"]["NotShownUnkeyed"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["UriTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteLeadByExternalId: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` that you last read. If the resource has changed since, the service changes nothing and answers 412.
                 * @example "3"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
                /**
                 * @description With `true`, the service does everything, answers, and rolls it back. Ids in the answer do not exist.
                 * @example true
                 */
                "Dry-Run"?: components["parameters"]["DryRun"];
                /**
                 * @description The active user on whose behalf you act, instead of your client's own `user_id`. Histories then name the user.
                 * @example user_01m7w4n5e0eymtkc82hvhg0xb9
                 */
                "Acting-User"?: components["parameters"]["ActingUser"];
            };
            path: {
                /**
                 * @description The lead's id in your own system. Percent-encode it, so that a slash becomes `%2F`. It can't contain control
                 *     characters, such as a line feed.
                 * @example crm-4711
                 */
                external_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The lead was deleted. */
            204: {
                headers: {
                    "Dry-Run": components["headers"]["DryRun"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Environment": components["headers"]["XEnvironment"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            412: components["responses"]["PreconditionFailed"];
            414: components["responses"]["UriTooLong"];
            422: components["responses"]["ExternalIdInvalid"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listLeadNotes: {
        parameters: {
            query: {
                /**
                 * @description The page to return. The default is 1. You can't combine it with `cursor`.
                 * @example 1
                 */
                page?: components["parameters"]["Page"];
                /**
                 * @description The number of results on a page. If you read nothing for 30 seconds, the service closes the connection.
                 * @example 20
                 */
                per_page: components["parameters"]["PerPage"];
                /**
                 * @description Continues a list where the last page ended. Send that page's `meta.next_cursor` with the same filters and the
                 *     same `sort`, but without `page`. You neither miss nor repeat a result when others insert rows. A cursor is valid
                 *     only for its list and its environment.
                 *
                 *     If results change while you read, sort by `created_at`, which never changes: you get each result once. In any
                 *     other order, a result that changes can move past the cursor, so you may miss it or get it twice. `updated_at`,
                 *     ascending, only repeats results. With `updated_from`, all pages end where the list ended on the first one.
                 * @example eyJhZnRlciI6WyIyMDI2LTExLTIwVDA5OjMwOjAwLjAwMFoiXX0
                 */
                cursor?: components["parameters"]["Cursor"];
                /**
                 * @description Notes that are pinned (`true`) or not pinned (`false`).
                 * @example true
                 */
                pinned?: components["parameters"]["PinnedFilter"];
                /**
                 * @description Results created at this moment or later. Send an RFC 3339 instant or a date. A date includes its whole day.
                 * @example 2026-11-01
                 */
                created_from?: components["parameters"]["CreatedFrom"];
                /**
                 * @description Results created at this moment or earlier. Send an RFC 3339 instant or a date. A date includes its whole day.
                 * @example 2026-11-30
                 */
                created_to?: components["parameters"]["CreatedTo"];
                /**
                 * @description Results last changed at this moment or later. Send an RFC 3339 instant or a date. A date includes its whole day.
                 *
                 *     With this parameter you can poll for changes. Send the greatest `updated_at` that you have seen, and
                 *     `sort=updated_at`. The list ends at the start of the oldest change that is still being saved, so that no later
                 *     request finds a change before those that you have seen.
                 * @example 2026-11-20T09:30:00.000Z
                 */
                updated_from?: components["parameters"]["UpdatedFrom"];
                /**
                 * @description Results last changed at this moment or earlier. Send an RFC 3339 instant or a date. A date includes its whole
                 *     day.
                 * @example 2026-11-20T18:00:00+01:00
                 */
                updated_to?: components["parameters"]["UpdatedTo"];
                /**
                 * @description The field to sort by. A leading `-` means descending.
                 * @example -updated_at
                 */
                sort: components["parameters"]["NoteSort"];
            };
            header?: never;
            path: {
                /**
                 * @description The id of the lead.
                 * @example lead_01m7w4n5e0e3tajy9kep34bze2
                 */
                id: components["parameters"]["LeadId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of notes. A page after the last one is empty. */
            200: {
                headers: {
                    Link: components["headers"]["Link"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Environment": components["headers"]["XEnvironment"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NoteListResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createLeadNote: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Lets you safely repeat a request whose answer did not arrive. Send a new random UUID with each new request. A
                 *     repeat with the same key within 24 hours changes nothing: it gets the stored answer with `Idempotency-Replayed:
                 *     true`, if its credentials have the scopes that the answer depends on. Errors are not stored.
                 *
                 *     Each client has its own keys. A different request with the same key is a 422 with the code
                 *     `idempotency_key_reused`. When a client's answers take all their room, a new key is a 429
                 *     `idempotency_storage_full`.
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /**
                 * @description With `true`, the service does everything, answers, and rolls it back. Ids in the answer do not exist.
                 * @example true
                 */
                "Dry-Run"?: components["parameters"]["DryRun"];
                /**
                 * @description The active user on whose behalf you act, instead of your client's own `user_id`. Histories then name the user.
                 * @example user_01m7w4n5e0eymtkc82hvhg0xb9
                 */
                "Acting-User"?: components["parameters"]["ActingUser"];
            };
            path: {
                /**
                 * @description The id of the lead.
                 * @example lead_01m7w4n5e0e3tajy9kep34bze2
                 */
                id: components["parameters"]["LeadId"];
            };
            cookie?: never;
        };
        /** @description The new note. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateNote"];
            };
        };
        responses: {
            /** @description The note was created. */
            201: {
                headers: {
                    Location: components["headers"]["Location"];
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    "Dry-Run": components["headers"]["DryRun"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Environment": components["headers"]["XEnvironment"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NoteResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["UriTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getLeadNote: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` that you already have. If it is still current, the service answers 304 without a body.
                 * @example "3"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description The id of the lead.
                 * @example lead_01m7w4n5e0e3tajy9kep34bze2
                 */
                id: components["parameters"]["LeadId"];
                /**
                 * @description The id of the note.
                 * @example note_01m7w4n5e0fnt8s5k2x9c3qrzv
                 */
                note_id: components["parameters"]["NoteIdInPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The note. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Environment": components["headers"]["XEnvironment"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NoteResponse"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteLeadNote: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` that you last read. If the resource has changed since, the service changes nothing and answers 412.
                 * @example "3"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
                /**
                 * @description With `true`, the service does everything, answers, and rolls it back. Ids in the answer do not exist.
                 * @example true
                 */
                "Dry-Run"?: components["parameters"]["DryRun"];
                /**
                 * @description The active user on whose behalf you act, instead of your client's own `user_id`. Histories then name the user.
                 * @example user_01m7w4n5e0eymtkc82hvhg0xb9
                 */
                "Acting-User"?: components["parameters"]["ActingUser"];
            };
            path: {
                /**
                 * @description The id of the lead.
                 * @example lead_01m7w4n5e0e3tajy9kep34bze2
                 */
                id: components["parameters"]["LeadId"];
                /**
                 * @description The id of the note.
                 * @example note_01m7w4n5e0fnt8s5k2x9c3qrzv
                 */
                note_id: components["parameters"]["NoteIdInPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The note was deleted. */
            204: {
                headers: {
                    "Dry-Run": components["headers"]["DryRun"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Environment": components["headers"]["XEnvironment"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            412: components["responses"]["PreconditionFailed"];
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    updateLeadNote: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Lets you safely repeat a request whose answer did not arrive. Send a new random UUID with each new request. A
                 *     repeat with the same key within 24 hours changes nothing: it gets the stored answer with `Idempotency-Replayed:
                 *     true`, if its credentials have the scopes that the answer depends on. Errors are not stored.
                 *
                 *     Each client has its own keys. A different request with the same key is a 422 with the code
                 *     `idempotency_key_reused`. When a client's answers take all their room, a new key is a 429
                 *     `idempotency_storage_full`.
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /**
                 * @description The `ETag` that you last read. If the resource has changed since, the service changes nothing and answers 412.
                 * @example "3"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
                /**
                 * @description With `true`, the service does everything, answers, and rolls it back. Ids in the answer do not exist.
                 * @example true
                 */
                "Dry-Run"?: components["parameters"]["DryRun"];
                /**
                 * @description The active user on whose behalf you act, instead of your client's own `user_id`. Histories then name the user.
                 * @example user_01m7w4n5e0eymtkc82hvhg0xb9
                 */
                "Acting-User"?: components["parameters"]["ActingUser"];
            };
            path: {
                /**
                 * @description The id of the lead.
                 * @example lead_01m7w4n5e0e3tajy9kep34bze2
                 */
                id: components["parameters"]["LeadId"];
                /**
                 * @description The id of the note.
                 * @example note_01m7w4n5e0fnt8s5k2x9c3qrzv
                 */
                note_id: components["parameters"]["NoteIdInPath"];
            };
            cookie?: never;
        };
        /** @description The fields to change. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "pinned": true
                 *     }
                 */
                "application/json": components["schemas"]["UpdateNote"];
                /**
                 * @example {
                 *       "text": "Called back. She decides on Monday."
                 *     }
                 */
                "application/merge-patch+json": components["schemas"]["UpdateNote"];
            };
        };
        responses: {
            /** @description The note after the change. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    "Dry-Run": components["headers"]["DryRun"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Environment": components["headers"]["XEnvironment"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NoteResponse"];
                };
            };
            204: components["responses"]["NotShown"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["UriTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getLead: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` that you already have. If it is still current, the service answers 304 without a body.
                 * @example "3"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description The id of the lead.
                 * @example lead_01m7w4n5e0e3tajy9kep34bze2
                 */
                id: components["parameters"]["LeadId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The lead. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Environment": components["headers"]["XEnvironment"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LeadResponse"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteLead: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` that you last read. If the resource has changed since, the service changes nothing and answers 412.
                 * @example "3"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
                /**
                 * @description With `true`, the service does everything, answers, and rolls it back. Ids in the answer do not exist.
                 * @example true
                 */
                "Dry-Run"?: components["parameters"]["DryRun"];
                /**
                 * @description The active user on whose behalf you act, instead of your client's own `user_id`. Histories then name the user.
                 * @example user_01m7w4n5e0eymtkc82hvhg0xb9
                 */
                "Acting-User"?: components["parameters"]["ActingUser"];
            };
            path: {
                /**
                 * @description The id of the lead.
                 * @example lead_01m7w4n5e0e3tajy9kep34bze2
                 */
                id: components["parameters"]["LeadId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The lead was deleted. */
            204: {
                headers: {
                    "Dry-Run": components["headers"]["DryRun"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Environment": components["headers"]["XEnvironment"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            412: components["responses"]["PreconditionFailed"];
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    updateLead: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Lets you safely repeat a request whose answer did not arrive. Send a new random UUID with each new request. A
                 *     repeat with the same key within 24 hours changes nothing: it gets the stored answer with `Idempotency-Replayed:
                 *     true`, if its credentials have the scopes that the answer depends on. Errors are not stored.
                 *
                 *     Each client has its own keys. A different request with the same key is a 422 with the code
                 *     `idempotency_key_reused`. When a client's answers take all their room, a new key is a 429
                 *     `idempotency_storage_full`.
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /**
                 * @description The `ETag` that you last read. If the resource has changed since, the service changes nothing and answers 412.
                 * @example "3"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
                /**
                 * @description With `true`, the service does everything, answers, and rolls it back. Ids in the answer do not exist.
                 * @example true
                 */
                "Dry-Run"?: components["parameters"]["DryRun"];
                /**
                 * @description The active user on whose behalf you act, instead of your client's own `user_id`. Histories then name the user.
                 * @example user_01m7w4n5e0eymtkc82hvhg0xb9
                 */
                "Acting-User"?: components["parameters"]["ActingUser"];
            };
            path: {
                /**
                 * @description The id of the lead.
                 * @example lead_01m7w4n5e0e3tajy9kep34bze2
                 */
                id: components["parameters"]["LeadId"];
            };
            cookie?: never;
        };
        /** @description The fields to change. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "status": "contacted",
                 *       "assigned_user_id": null
                 *     }
                 */
                "application/json": components["schemas"]["UpdateLead"];
                /**
                 * @example {
                 *       "status": "lost",
                 *       "lost_reason": "No budget this year",
                 *       "metadata": {
                 *         "plan": null
                 *       }
                 *     }
                 */
                "application/merge-patch+json": components["schemas"]["UpdateLead"];
            };
        };
        responses: {
            /** @description The lead after the change. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    "Dry-Run": components["headers"]["DryRun"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Environment": components["headers"]["XEnvironment"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LeadResponse"];
                };
            };
            204: components["responses"]["NotShown"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["UriTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    convertLead: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Lets you safely repeat a request whose answer did not arrive. Send a new random UUID with each new request. A
                 *     repeat with the same key within 24 hours changes nothing: it gets the stored answer with `Idempotency-Replayed:
                 *     true`, if its credentials have the scopes that the answer depends on. Errors are not stored.
                 *
                 *     Each client has its own keys. A different request with the same key is a 422 with the code
                 *     `idempotency_key_reused`. When a client's answers take all their room, a new key is a 429
                 *     `idempotency_storage_full`.
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /**
                 * @description The `ETag` that you last read. If the resource has changed since, the service changes nothing and answers 412.
                 * @example "3"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
                /**
                 * @description With `true`, the service does everything, answers, and rolls it back. Ids in the answer do not exist.
                 * @example true
                 */
                "Dry-Run"?: components["parameters"]["DryRun"];
                /**
                 * @description The active user on whose behalf you act, instead of your client's own `user_id`. Histories then name the user.
                 * @example user_01m7w4n5e0eymtkc82hvhg0xb9
                 */
                "Acting-User"?: components["parameters"]["ActingUser"];
            };
            path: {
                /**
                 * @description The id of the lead.
                 * @example lead_01m7w4n5e0e3tajy9kep34bze2
                 */
                id: components["parameters"]["LeadId"];
            };
            cookie?: never;
        };
        /** @description How to convert the lead. You may leave out the body. */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ConvertLead"];
            };
        };
        responses: {
            /** @description The lead was converted before. Nothing changed. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    "Dry-Run": components["headers"]["DryRun"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Environment": components["headers"]["XEnvironment"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConversionResponse"];
                };
            };
            /** @description The lead was converted. */
            201: {
                headers: {
                    Location: components["headers"]["Location"];
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    "Dry-Run": components["headers"]["DryRun"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Environment": components["headers"]["XEnvironment"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConversionResponse"];
                };
            };
            204: components["responses"]["NotShown"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["UriTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ConversionFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listLeadStatusChanges: {
        parameters: {
            query: {
                /**
                 * @description The page to return. The default is 1. You can't combine it with `cursor`.
                 * @example 1
                 */
                page?: components["parameters"]["Page"];
                /**
                 * @description The number of results on a page. If you read nothing for 30 seconds, the service closes the connection.
                 * @example 20
                 */
                per_page: components["parameters"]["PerPage"];
                /**
                 * @description Continues a list where the last page ended. Send that page's `meta.next_cursor` with the same filters and the
                 *     same `sort`, but without `page`. You neither miss nor repeat a result when others insert rows. A cursor is valid
                 *     only for its list and its environment.
                 *
                 *     If results change while you read, sort by `created_at`, which never changes: you get each result once. In any
                 *     other order, a result that changes can move past the cursor, so you may miss it or get it twice. `updated_at`,
                 *     ascending, only repeats results. With `updated_from`, all pages end where the list ended on the first one.
                 * @example eyJhZnRlciI6WyIyMDI2LTExLTIwVDA5OjMwOjAwLjAwMFoiXX0
                 */
                cursor?: components["parameters"]["Cursor"];
                /**
                 * @description What this API client or inbound hook did.
                 * @example client_01m7w4n5e0e0vbbhcpvg4zwf73
                 */
                actor_id?: components["parameters"]["ActorId"];
                /**
                 * @description What was done on behalf of this user.
                 * @example user_01m7w4n5e0eymtkc82hvhg0xb9
                 */
                actor_user_id?: components["parameters"]["ActorUserId"];
                /**
                 * @description What happened at this moment or later. Send an RFC 3339 instant or a date. A date includes its whole day.
                 * @example 2026-11-01
                 */
                occurred_from?: components["parameters"]["OccurredFrom"];
                /**
                 * @description What happened at this moment or earlier. Send an RFC 3339 instant or a date. A date includes its whole day.
                 * @example 2026-11-30
                 */
                occurred_to?: components["parameters"]["OccurredTo"];
            };
            header?: never;
            path: {
                /**
                 * @description The id of the lead.
                 * @example lead_01m7w4n5e0e3tajy9kep34bze2
                 */
                id: components["parameters"]["LeadId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of status changes. A page after the last one is empty. */
            200: {
                headers: {
                    Link: components["headers"]["Link"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Environment": components["headers"]["XEnvironment"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StatusChangeListResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listLeadEvents: {
        parameters: {
            query: {
                /**
                 * @description The page to return. The default is 1. You can't combine it with `cursor`.
                 * @example 1
                 */
                page?: components["parameters"]["Page"];
                /**
                 * @description The number of results on a page. If you read nothing for 30 seconds, the service closes the connection.
                 * @example 20
                 */
                per_page: components["parameters"]["PerPage"];
                /**
                 * @description Continues a list where the last page ended. Send that page's `meta.next_cursor` with the same filters and the
                 *     same `sort`, but without `page`. You neither miss nor repeat a result when others insert rows. A cursor is valid
                 *     only for its list and its environment.
                 *
                 *     If results change while you read, sort by `created_at`, which never changes: you get each result once. In any
                 *     other order, a result that changes can move past the cursor, so you may miss it or get it twice. `updated_at`,
                 *     ascending, only repeats results. With `updated_from`, all pages end where the list ended on the first one.
                 * @example eyJhZnRlciI6WyIyMDI2LTExLTIwVDA5OjMwOjAwLjAwMFoiXX0
                 */
                cursor?: components["parameters"]["Cursor"];
                /**
                 * @description Events of any of these types. Separate types with commas, or repeat the parameter.
                 * @example [
                 *       "lead.created",
                 *       "lead.status_changed"
                 *     ]
                 */
                types?: components["parameters"]["EventTypesFilter"];
                /**
                 * @description What this API client or inbound hook did.
                 * @example client_01m7w4n5e0e0vbbhcpvg4zwf73
                 */
                actor_id?: components["parameters"]["ActorId"];
                /**
                 * @description What was done on behalf of this user.
                 * @example user_01m7w4n5e0eymtkc82hvhg0xb9
                 */
                actor_user_id?: components["parameters"]["ActorUserId"];
                /**
                 * @description What happened at this moment or later. Send an RFC 3339 instant or a date. A date includes its whole day.
                 * @example 2026-11-01
                 */
                occurred_from?: components["parameters"]["OccurredFrom"];
                /**
                 * @description What happened at this moment or earlier. Send an RFC 3339 instant or a date. A date includes its whole day.
                 * @example 2026-11-30
                 */
                occurred_to?: components["parameters"]["OccurredTo"];
            };
            header?: never;
            path: {
                /**
                 * @description The id of the lead.
                 * @example lead_01m7w4n5e0e3tajy9kep34bze2
                 */
                id: components["parameters"]["LeadId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of events. */
            200: {
                headers: {
                    Link: components["headers"]["Link"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Environment": components["headers"]["XEnvironment"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventListResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listContacts: {
        parameters: {
            query: {
                /**
                 * @description The page to return. The default is 1. You can't combine it with `cursor`.
                 * @example 1
                 */
                page?: components["parameters"]["Page"];
                /**
                 * @description The number of results on a page. If you read nothing for 30 seconds, the service closes the connection.
                 * @example 20
                 */
                per_page: components["parameters"]["PerPage"];
                /**
                 * @description Continues a list where the last page ended. Send that page's `meta.next_cursor` with the same filters and the
                 *     same `sort`, but without `page`. You neither miss nor repeat a result when others insert rows. A cursor is valid
                 *     only for its list and its environment.
                 *
                 *     If results change while you read, sort by `created_at`, which never changes: you get each result once. In any
                 *     other order, a result that changes can move past the cursor, so you may miss it or get it twice. `updated_at`,
                 *     ascending, only repeats results. With `updated_from`, all pages end where the list ended on the first one.
                 * @example eyJhZnRlciI6WyIyMDI2LTExLTIwVDA5OjMwOjAwLjAwMFoiXX0
                 */
                cursor?: components["parameters"]["Cursor"];
                /**
                 * @description Results with any of these tags. Separate tags with commas, or repeat the parameter. You can't filter by a tag
                 *     that contains a comma.
                 * @example [
                 *       "vip"
                 *     ]
                 */
                tag?: components["parameters"]["Tag"];
                /**
                 * @description Results whose `metadata` has these values. Put the key in brackets, as in `metadata[plan]=gold`. With several
                 *     keys, a result must match all of them. The whole value must be equal, with the same case.
                 * @example {
                 *       "plan": "enterprise"
                 *     }
                 */
                metadata?: components["parameters"]["MetadataFilter"];
                /**
                 * @description Finds results that contain all of these words. Each word also matches the beginning of a longer word. Case and
                 *     accents don't matter. A search can have at most ten words. Repeated words and beginnings of other words don't
                 *     count. The operation's description names the fields. A request with `search` counts in the rate-limit class
                 *     `search`.
                 * @example ada acme
                 */
                search?: components["parameters"]["Search"];
                /**
                 * @description Results created at this moment or later. Send an RFC 3339 instant or a date. A date includes its whole day.
                 * @example 2026-11-01
                 */
                created_from?: components["parameters"]["CreatedFrom"];
                /**
                 * @description Results created at this moment or earlier. Send an RFC 3339 instant or a date. A date includes its whole day.
                 * @example 2026-11-30
                 */
                created_to?: components["parameters"]["CreatedTo"];
                /**
                 * @description Results last changed at this moment or later. Send an RFC 3339 instant or a date. A date includes its whole day.
                 *
                 *     With this parameter you can poll for changes. Send the greatest `updated_at` that you have seen, and
                 *     `sort=updated_at`. The list ends at the start of the oldest change that is still being saved, so that no later
                 *     request finds a change before those that you have seen.
                 * @example 2026-11-20T09:30:00.000Z
                 */
                updated_from?: components["parameters"]["UpdatedFrom"];
                /**
                 * @description Results last changed at this moment or earlier. Send an RFC 3339 instant or a date. A date includes its whole
                 *     day.
                 * @example 2026-11-20T18:00:00+01:00
                 */
                updated_to?: components["parameters"]["UpdatedTo"];
                /**
                 * @description Results assigned to this user. Use `none` for unassigned results.
                 * @example user_01m7w4n5e0eymtkc82hvhg0xb9
                 */
                assigned_user_id?: components["parameters"]["AssignedUserFilter"];
                /**
                 * @description The result with this email address. Case doesn't matter.
                 * @example ada@example.com
                 */
                email?: components["parameters"]["EmailFilter"];
                /**
                 * @description Results with this phone number. Write it with its country code, in any spelling that a lead's `phone` may have.
                 *     In a URL, `+` is a space, so write `%2B` or `00`.
                 * @example +4915112345678
                 */
                phone?: components["parameters"]["PhoneFilter"];
                /**
                 * @description The result with this external id.
                 * @example crm-4711
                 */
                external_id?: components["parameters"]["ExternalIdFilter"];
                /**
                 * @description The field to sort by. A leading `-` means descending.
                 * @example -updated_at
                 */
                sort: components["parameters"]["ContactSort"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of contacts. A page after the last one is empty. */
            200: {
                headers: {
                    Link: components["headers"]["Link"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Environment": components["headers"]["XEnvironment"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactListResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createContact: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Lets you safely repeat a request whose answer did not arrive. Send a new random UUID with each new request. A
                 *     repeat with the same key within 24 hours changes nothing: it gets the stored answer with `Idempotency-Replayed:
                 *     true`, if its credentials have the scopes that the answer depends on. Errors are not stored.
                 *
                 *     Each client has its own keys. A different request with the same key is a 422 with the code
                 *     `idempotency_key_reused`. When a client's answers take all their room, a new key is a 429
                 *     `idempotency_storage_full`.
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /**
                 * @description With `true`, the service does everything, answers, and rolls it back. Ids in the answer do not exist.
                 * @example true
                 */
                "Dry-Run"?: components["parameters"]["DryRun"];
                /**
                 * @description The active user on whose behalf you act, instead of your client's own `user_id`. Histories then name the user.
                 * @example user_01m7w4n5e0eymtkc82hvhg0xb9
                 */
                "Acting-User"?: components["parameters"]["ActingUser"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description The new contact. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateContact"];
            };
        };
        responses: {
            /** @description The contact was created. */
            201: {
                headers: {
                    Location: components["headers"]["Location"];
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    "Dry-Run": components["headers"]["DryRun"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Environment": components["headers"]["XEnvironment"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["UriTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    batchCreateContacts: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Lets you safely repeat a request whose answer did not arrive. Send a new random UUID with each new request. A
                 *     repeat with the same key within 24 hours changes nothing: it gets the stored answer with `Idempotency-Replayed:
                 *     true`, if its credentials have the scopes that the answer depends on. Errors are not stored.
                 *
                 *     Each client has its own keys. A different request with the same key is a 422 with the code
                 *     `idempotency_key_reused`. When a client's answers take all their room, a new key is a 429
                 *     `idempotency_storage_full`.
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /**
                 * @description With `true`, the service does everything, answers, and rolls it back. Ids in the answer do not exist.
                 * @example true
                 */
                "Dry-Run"?: components["parameters"]["DryRun"];
                /**
                 * @description The active user on whose behalf you act, instead of your client's own `user_id`. Histories then name the user.
                 * @example user_01m7w4n5e0eymtkc82hvhg0xb9
                 */
                "Acting-User"?: components["parameters"]["ActingUser"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description The new contacts. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "items": [
                 *         {
                 *           "name": "Ada Lovelace",
                 *           "email": "ada@example.com",
                 *           "title": "Mathematician"
                 *         },
                 *         {
                 *           "name": "Grace Hopper",
                 *           "email": "grace@example.com"
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["BatchCreateContacts"];
            };
        };
        responses: {
            /** @description What happened to each item. */
            200: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    "Dry-Run": components["headers"]["DryRun"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Environment": components["headers"]["XEnvironment"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactBatchResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["BatchTooLarge"];
            414: components["responses"]["UriTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["BatchFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    batchUpsertContacts: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Lets you safely repeat a request whose answer did not arrive. Send a new random UUID with each new request. A
                 *     repeat with the same key within 24 hours changes nothing: it gets the stored answer with `Idempotency-Replayed:
                 *     true`, if its credentials have the scopes that the answer depends on. Errors are not stored.
                 *
                 *     Each client has its own keys. A different request with the same key is a 422 with the code
                 *     `idempotency_key_reused`. When a client's answers take all their room, a new key is a 429
                 *     `idempotency_storage_full`.
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /**
                 * @description With `true`, the service does everything, answers, and rolls it back. Ids in the answer do not exist.
                 * @example true
                 */
                "Dry-Run"?: components["parameters"]["DryRun"];
                /**
                 * @description The active user on whose behalf you act, instead of your client's own `user_id`. Histories then name the user.
                 * @example user_01m7w4n5e0eymtkc82hvhg0xb9
                 */
                "Acting-User"?: components["parameters"]["ActingUser"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description The contacts to upsert, and the field that identifies them. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "match": "external_id",
                 *       "items": [
                 *         {
                 *           "external_id": "crm-4711",
                 *           "name": "Ada Lovelace",
                 *           "email": "ada@example.com"
                 *         },
                 *         {
                 *           "external_id": "crm-4712",
                 *           "company": "Navy"
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["BatchUpsertContacts"];
            };
        };
        responses: {
            /** @description What happened to each item. */
            200: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    "Dry-Run": components["headers"]["DryRun"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Environment": components["headers"]["XEnvironment"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactBatchResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["BatchTooLarge"];
            414: components["responses"]["UriTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["BatchFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    batchUpdateContacts: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Lets you safely repeat a request whose answer did not arrive. Send a new random UUID with each new request. A
                 *     repeat with the same key within 24 hours changes nothing: it gets the stored answer with `Idempotency-Replayed:
                 *     true`, if its credentials have the scopes that the answer depends on. Errors are not stored.
                 *
                 *     Each client has its own keys. A different request with the same key is a 422 with the code
                 *     `idempotency_key_reused`. When a client's answers take all their room, a new key is a 429
                 *     `idempotency_storage_full`.
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /**
                 * @description With `true`, the service does everything, answers, and rolls it back. Ids in the answer do not exist.
                 * @example true
                 */
                "Dry-Run"?: components["parameters"]["DryRun"];
                /**
                 * @description The active user on whose behalf you act, instead of your client's own `user_id`. Histories then name the user.
                 * @example user_01m7w4n5e0eymtkc82hvhg0xb9
                 */
                "Acting-User"?: components["parameters"]["ActingUser"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description The changes. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "items": [
                 *         {
                 *           "id": "contact_01m7w4n5e0fymt8j463c8gepsz",
                 *           "version": 3,
                 *           "patch": {
                 *             "title": "Countess"
                 *           }
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["BatchUpdateContacts"];
            };
        };
        responses: {
            /** @description What happened to each item. */
            200: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    "Dry-Run": components["headers"]["DryRun"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Environment": components["headers"]["XEnvironment"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactBatchResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["BatchTooLarge"];
            414: components["responses"]["UriTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["BatchFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    batchDeleteContacts: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Lets you safely repeat a request whose answer did not arrive. Send a new random UUID with each new request. A
                 *     repeat with the same key within 24 hours changes nothing: it gets the stored answer with `Idempotency-Replayed:
                 *     true`, if its credentials have the scopes that the answer depends on. Errors are not stored.
                 *
                 *     Each client has its own keys. A different request with the same key is a 422 with the code
                 *     `idempotency_key_reused`. When a client's answers take all their room, a new key is a 429
                 *     `idempotency_storage_full`.
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /**
                 * @description With `true`, the service does everything, answers, and rolls it back. Ids in the answer do not exist.
                 * @example true
                 */
                "Dry-Run"?: components["parameters"]["DryRun"];
                /**
                 * @description The active user on whose behalf you act, instead of your client's own `user_id`. Histories then name the user.
                 * @example user_01m7w4n5e0eymtkc82hvhg0xb9
                 */
                "Acting-User"?: components["parameters"]["ActingUser"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description The contacts to delete. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "ids": [
                 *         "contact_01m7w4n5e0fymt8j463c8gepsz"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["BatchDeleteContacts"];
            };
        };
        responses: {
            /** @description What happened to each id. */
            200: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    "Dry-Run": components["headers"]["DryRun"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Environment": components["headers"]["XEnvironment"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BatchDeletionResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["BatchTooLarge"];
            414: components["responses"]["UriTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["BatchFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    batchReadContacts: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description The values that identify the contacts. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "emails": [
                 *         "ada@example.com",
                 *         "grace@example.com"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["BatchReadContacts"];
            };
        };
        responses: {
            /** @description A result for each value. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Environment": components["headers"]["XEnvironment"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactBatchResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["BatchTooLarge"];
            414: components["responses"]["UriTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["BatchReadFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    exportContacts: {
        parameters: {
            query: {
                /**
                 * @description Results with any of these tags. Separate tags with commas, or repeat the parameter. You can't filter by a tag
                 *     that contains a comma.
                 * @example [
                 *       "vip"
                 *     ]
                 */
                tag?: components["parameters"]["Tag"];
                /**
                 * @description Results whose `metadata` has these values. Put the key in brackets, as in `metadata[plan]=gold`. With several
                 *     keys, a result must match all of them. The whole value must be equal, with the same case.
                 * @example {
                 *       "plan": "enterprise"
                 *     }
                 */
                metadata?: components["parameters"]["MetadataFilter"];
                /**
                 * @description Finds results that contain all of these words. Each word also matches the beginning of a longer word. Case and
                 *     accents don't matter. A search can have at most ten words. Repeated words and beginnings of other words don't
                 *     count. The operation's description names the fields. A request with `search` counts in the rate-limit class
                 *     `search`.
                 * @example ada acme
                 */
                search?: components["parameters"]["Search"];
                /**
                 * @description Results created at this moment or later. Send an RFC 3339 instant or a date. A date includes its whole day.
                 * @example 2026-11-01
                 */
                created_from?: components["parameters"]["CreatedFrom"];
                /**
                 * @description Results created at this moment or earlier. Send an RFC 3339 instant or a date. A date includes its whole day.
                 * @example 2026-11-30
                 */
                created_to?: components["parameters"]["CreatedTo"];
                /**
                 * @description Results last changed at this moment or later. Send an RFC 3339 instant or a date. A date includes its whole day.
                 *
                 *     With this parameter you can poll for changes. Send the greatest `updated_at` that you have seen, and
                 *     `sort=updated_at`. The list ends at the start of the oldest change that is still being saved, so that no later
                 *     request finds a change before those that you have seen.
                 * @example 2026-11-20T09:30:00.000Z
                 */
                updated_from?: components["parameters"]["UpdatedFrom"];
                /**
                 * @description Results last changed at this moment or earlier. Send an RFC 3339 instant or a date. A date includes its whole
                 *     day.
                 * @example 2026-11-20T18:00:00+01:00
                 */
                updated_to?: components["parameters"]["UpdatedTo"];
                /**
                 * @description Results assigned to this user. Use `none` for unassigned results.
                 * @example user_01m7w4n5e0eymtkc82hvhg0xb9
                 */
                assigned_user_id?: components["parameters"]["AssignedUserFilter"];
                /**
                 * @description The result with this email address. Case doesn't matter.
                 * @example ada@example.com
                 */
                email?: components["parameters"]["EmailFilter"];
                /**
                 * @description Results with this phone number. Write it with its country code, in any spelling that a lead's `phone` may have.
                 *     In a URL, `+` is a space, so write `%2B` or `00`.
                 * @example +4915112345678
                 */
                phone?: components["parameters"]["PhoneFilter"];
                /**
                 * @description The result with this external id.
                 * @example crm-4711
                 */
                external_id?: components["parameters"]["ExternalIdFilter"];
                /**
                 * @description The field to sort by. A leading `-` means descending.
                 * @example -updated_at
                 */
                sort: components["parameters"]["ContactSort"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All contacts that match. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["NoStore"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Environment": components["headers"]["XEnvironment"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example id,name,email,phone,company,title,tags,assigned_user_id,external_id,metadata,created_at,updated_at,version
                     *     contact_01m7w4n5e0fymt8j463c8gepsz,Ada Lovelace,ada@example.com,'+4915112345678,Analytical Engines,Head of Engineering,"[""vip"",""newsletter""]",user_01m7w4n5e0eymtkc82hvhg0xb9,crm-4711,"{""plan"":""enterprise""}",2026-11-20T09:30:00.000Z,2026-11-20T09:30:00.000Z,1
                     */
                    "text/csv": string;
                    "application/x-ndjson": components["schemas"]["Contact"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["ExportNotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getContactByExternalId: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` that you already have. If it is still current, the service answers 304 without a body.
                 * @example "3"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description The contact's id in your own system. Percent-encode it, so that a slash becomes `%2F`. It can't contain control
                 *     characters, such as a line feed.
                 * @example crm-4711
                 */
                external_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The contact. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Environment": components["headers"]["XEnvironment"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactResponse"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            414: components["responses"]["UriTooLong"];
            422: components["responses"]["ExternalIdInvalid"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    upsertContact: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` that you last read. If the resource has changed since, the service changes nothing and answers 412.
                 * @example "3"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
                /**
                 * @description With `*`, the request only creates. If the resource exists, the service changes nothing and answers 412.
                 * @example *
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatchToCreate"];
                /**
                 * @description With `true`, the service does everything, answers, and rolls it back. Ids in the answer do not exist.
                 * @example true
                 */
                "Dry-Run"?: components["parameters"]["DryRun"];
                /**
                 * @description The active user on whose behalf you act, instead of your client's own `user_id`. Histories then name the user.
                 * @example user_01m7w4n5e0eymtkc82hvhg0xb9
                 */
                "Acting-User"?: components["parameters"]["ActingUser"];
            };
            path: {
                /**
                 * @description The contact's id in your own system. Percent-encode it, so that a slash becomes `%2F`. It can't contain control
                 *     characters, such as a line feed.
                 * @example crm-4711
                 */
                external_id: string;
            };
            cookie?: never;
        };
        /** @description The fields to set. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Mary Jackson",
                 *       "email": "mary@example.com",
                 *       "company": "Flight Research"
                 *     }
                 */
                "application/json": components["schemas"]["UpsertContact"];
                /**
                 * @example {
                 *       "name": "Katherine Johnson",
                 *       "email": "katherine@example.com",
                 *       "company": "Flight Research"
                 *     }
                 */
                "application/merge-patch+json": components["schemas"]["UpsertContact"];
            };
        };
        responses: {
            /** @description The contact after the change. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Dry-Run": components["headers"]["DryRun"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Environment": components["headers"]["XEnvironment"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactResponse"];
                };
            };
            /** @description The new contact. */
            201: {
                headers: {
                    Location: components["headers"]["Location"];
                    ETag: components["headers"]["ETag"];
                    "Dry-Run": components["headers"]["DryRun"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Environment": components["headers"]["XEnvironment"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactResponse"];
                };
            };
            204: components["responses"]["NotShownUnkeyed"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["UriTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteContactByExternalId: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` that you last read. If the resource has changed since, the service changes nothing and answers 412.
                 * @example "3"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
                /**
                 * @description With `true`, the service does everything, answers, and rolls it back. Ids in the answer do not exist.
                 * @example true
                 */
                "Dry-Run"?: components["parameters"]["DryRun"];
                /**
                 * @description The active user on whose behalf you act, instead of your client's own `user_id`. Histories then name the user.
                 * @example user_01m7w4n5e0eymtkc82hvhg0xb9
                 */
                "Acting-User"?: components["parameters"]["ActingUser"];
            };
            path: {
                /**
                 * @description The contact's id in your own system. Percent-encode it, so that a slash becomes `%2F`. It can't contain control
                 *     characters, such as a line feed.
                 * @example crm-4711
                 */
                external_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The contact was deleted. */
            204: {
                headers: {
                    "Dry-Run": components["headers"]["DryRun"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Environment": components["headers"]["XEnvironment"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            412: components["responses"]["PreconditionFailed"];
            414: components["responses"]["UriTooLong"];
            422: components["responses"]["ExternalIdInvalid"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listTags: {
        parameters: {
            query: {
                /**
                 * @description Whose tags.
                 * @example leads
                 */
                resource: components["schemas"]["TaggedResource"];
                /**
                 * @description Tags that begin with this text, ignoring case.
                 * @example news
                 */
                prefix?: string;
                /**
                 * @description The page to return. The default is 1. You can't combine it with `cursor`.
                 * @example 1
                 */
                page?: components["parameters"]["Page"];
                /**
                 * @description The number of results on a page. If you read nothing for 30 seconds, the service closes the connection.
                 * @example 20
                 */
                per_page: components["parameters"]["PerPage"];
                /**
                 * @description Continues a list where the last page ended. Send that page's `meta.next_cursor` with the same filters and the
                 *     same `sort`, but without `page`. You neither miss nor repeat a result when others insert rows. A cursor is valid
                 *     only for its list and its environment.
                 *
                 *     If results change while you read, sort by `created_at`, which never changes: you get each result once. In any
                 *     other order, a result that changes can move past the cursor, so you may miss it or get it twice. `updated_at`,
                 *     ascending, only repeats results. With `updated_from`, all pages end where the list ended on the first one.
                 * @example eyJhZnRlciI6WyIyMDI2LTExLTIwVDA5OjMwOjAwLjAwMFoiXX0
                 */
                cursor?: components["parameters"]["Cursor"];
                /**
                 * @description The order. A leading `-` means descending.
                 * @example tag
                 */
                sort: components["schemas"]["TagOrder"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of tags. A page after the last one is empty. */
            200: {
                headers: {
                    Link: components["headers"]["Link"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Environment": components["headers"]["XEnvironment"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TagListResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listContactNotes: {
        parameters: {
            query: {
                /**
                 * @description The page to return. The default is 1. You can't combine it with `cursor`.
                 * @example 1
                 */
                page?: components["parameters"]["Page"];
                /**
                 * @description The number of results on a page. If you read nothing for 30 seconds, the service closes the connection.
                 * @example 20
                 */
                per_page: components["parameters"]["PerPage"];
                /**
                 * @description Continues a list where the last page ended. Send that page's `meta.next_cursor` with the same filters and the
                 *     same `sort`, but without `page`. You neither miss nor repeat a result when others insert rows. A cursor is valid
                 *     only for its list and its environment.
                 *
                 *     If results change while you read, sort by `created_at`, which never changes: you get each result once. In any
                 *     other order, a result that changes can move past the cursor, so you may miss it or get it twice. `updated_at`,
                 *     ascending, only repeats results. With `updated_from`, all pages end where the list ended on the first one.
                 * @example eyJhZnRlciI6WyIyMDI2LTExLTIwVDA5OjMwOjAwLjAwMFoiXX0
                 */
                cursor?: components["parameters"]["Cursor"];
                /**
                 * @description Notes that are pinned (`true`) or not pinned (`false`).
                 * @example true
                 */
                pinned?: components["parameters"]["PinnedFilter"];
                /**
                 * @description Results created at this moment or later. Send an RFC 3339 instant or a date. A date includes its whole day.
                 * @example 2026-11-01
                 */
                created_from?: components["parameters"]["CreatedFrom"];
                /**
                 * @description Results created at this moment or earlier. Send an RFC 3339 instant or a date. A date includes its whole day.
                 * @example 2026-11-30
                 */
                created_to?: components["parameters"]["CreatedTo"];
                /**
                 * @description Results last changed at this moment or later. Send an RFC 3339 instant or a date. A date includes its whole day.
                 *
                 *     With this parameter you can poll for changes. Send the greatest `updated_at` that you have seen, and
                 *     `sort=updated_at`. The list ends at the start of the oldest change that is still being saved, so that no later
                 *     request finds a change before those that you have seen.
                 * @example 2026-11-20T09:30:00.000Z
                 */
                updated_from?: components["parameters"]["UpdatedFrom"];
                /**
                 * @description Results last changed at this moment or earlier. Send an RFC 3339 instant or a date. A date includes its whole
                 *     day.
                 * @example 2026-11-20T18:00:00+01:00
                 */
                updated_to?: components["parameters"]["UpdatedTo"];
                /**
                 * @description The field to sort by. A leading `-` means descending.
                 * @example -updated_at
                 */
                sort: components["parameters"]["NoteSort"];
            };
            header?: never;
            path: {
                /**
                 * @description The id of the contact.
                 * @example contact_01m7w4n5e0fymt8j463c8gepsz
                 */
                id: components["parameters"]["ContactId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of notes. A page after the last one is empty. */
            200: {
                headers: {
                    Link: components["headers"]["Link"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Environment": components["headers"]["XEnvironment"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NoteListResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createContactNote: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Lets you safely repeat a request whose answer did not arrive. Send a new random UUID with each new request. A
                 *     repeat with the same key within 24 hours changes nothing: it gets the stored answer with `Idempotency-Replayed:
                 *     true`, if its credentials have the scopes that the answer depends on. Errors are not stored.
                 *
                 *     Each client has its own keys. A different request with the same key is a 422 with the code
                 *     `idempotency_key_reused`. When a client's answers take all their room, a new key is a 429
                 *     `idempotency_storage_full`.
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /**
                 * @description With `true`, the service does everything, answers, and rolls it back. Ids in the answer do not exist.
                 * @example true
                 */
                "Dry-Run"?: components["parameters"]["DryRun"];
                /**
                 * @description The active user on whose behalf you act, instead of your client's own `user_id`. Histories then name the user.
                 * @example user_01m7w4n5e0eymtkc82hvhg0xb9
                 */
                "Acting-User"?: components["parameters"]["ActingUser"];
            };
            path: {
                /**
                 * @description The id of the contact.
                 * @example contact_01m7w4n5e0fymt8j463c8gepsz
                 */
                id: components["parameters"]["ContactId"];
            };
            cookie?: never;
        };
        /** @description The new note. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateNote"];
            };
        };
        responses: {
            /** @description The note was created. */
            201: {
                headers: {
                    Location: components["headers"]["Location"];
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    "Dry-Run": components["headers"]["DryRun"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Environment": components["headers"]["XEnvironment"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NoteResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["UriTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getContactNote: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` that you already have. If it is still current, the service answers 304 without a body.
                 * @example "3"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description The id of the contact.
                 * @example contact_01m7w4n5e0fymt8j463c8gepsz
                 */
                id: components["parameters"]["ContactId"];
                /**
                 * @description The id of the note.
                 * @example note_01m7w4n5e0fnt8s5k2x9c3qrzv
                 */
                note_id: components["parameters"]["NoteIdInPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The note. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Environment": components["headers"]["XEnvironment"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NoteResponse"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteContactNote: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` that you last read. If the resource has changed since, the service changes nothing and answers 412.
                 * @example "3"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
                /**
                 * @description With `true`, the service does everything, answers, and rolls it back. Ids in the answer do not exist.
                 * @example true
                 */
                "Dry-Run"?: components["parameters"]["DryRun"];
                /**
                 * @description The active user on whose behalf you act, instead of your client's own `user_id`. Histories then name the user.
                 * @example user_01m7w4n5e0eymtkc82hvhg0xb9
                 */
                "Acting-User"?: components["parameters"]["ActingUser"];
            };
            path: {
                /**
                 * @description The id of the contact.
                 * @example contact_01m7w4n5e0fymt8j463c8gepsz
                 */
                id: components["parameters"]["ContactId"];
                /**
                 * @description The id of the note.
                 * @example note_01m7w4n5e0fnt8s5k2x9c3qrzv
                 */
                note_id: components["parameters"]["NoteIdInPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The note was deleted. */
            204: {
                headers: {
                    "Dry-Run": components["headers"]["DryRun"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Environment": components["headers"]["XEnvironment"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            412: components["responses"]["PreconditionFailed"];
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    updateContactNote: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Lets you safely repeat a request whose answer did not arrive. Send a new random UUID with each new request. A
                 *     repeat with the same key within 24 hours changes nothing: it gets the stored answer with `Idempotency-Replayed:
                 *     true`, if its credentials have the scopes that the answer depends on. Errors are not stored.
                 *
                 *     Each client has its own keys. A different request with the same key is a 422 with the code
                 *     `idempotency_key_reused`. When a client's answers take all their room, a new key is a 429
                 *     `idempotency_storage_full`.
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /**
                 * @description The `ETag` that you last read. If the resource has changed since, the service changes nothing and answers 412.
                 * @example "3"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
                /**
                 * @description With `true`, the service does everything, answers, and rolls it back. Ids in the answer do not exist.
                 * @example true
                 */
                "Dry-Run"?: components["parameters"]["DryRun"];
                /**
                 * @description The active user on whose behalf you act, instead of your client's own `user_id`. Histories then name the user.
                 * @example user_01m7w4n5e0eymtkc82hvhg0xb9
                 */
                "Acting-User"?: components["parameters"]["ActingUser"];
            };
            path: {
                /**
                 * @description The id of the contact.
                 * @example contact_01m7w4n5e0fymt8j463c8gepsz
                 */
                id: components["parameters"]["ContactId"];
                /**
                 * @description The id of the note.
                 * @example note_01m7w4n5e0fnt8s5k2x9c3qrzv
                 */
                note_id: components["parameters"]["NoteIdInPath"];
            };
            cookie?: never;
        };
        /** @description The fields to change. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "pinned": true
                 *     }
                 */
                "application/json": components["schemas"]["UpdateNote"];
                /**
                 * @example {
                 *       "text": "Called back. She decides on Monday."
                 *     }
                 */
                "application/merge-patch+json": components["schemas"]["UpdateNote"];
            };
        };
        responses: {
            /** @description The note after the change. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    "Dry-Run": components["headers"]["DryRun"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Environment": components["headers"]["XEnvironment"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NoteResponse"];
                };
            };
            204: components["responses"]["NotShown"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["UriTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listContactEvents: {
        parameters: {
            query: {
                /**
                 * @description The page to return. The default is 1. You can't combine it with `cursor`.
                 * @example 1
                 */
                page?: components["parameters"]["Page"];
                /**
                 * @description The number of results on a page. If you read nothing for 30 seconds, the service closes the connection.
                 * @example 20
                 */
                per_page: components["parameters"]["PerPage"];
                /**
                 * @description Continues a list where the last page ended. Send that page's `meta.next_cursor` with the same filters and the
                 *     same `sort`, but without `page`. You neither miss nor repeat a result when others insert rows. A cursor is valid
                 *     only for its list and its environment.
                 *
                 *     If results change while you read, sort by `created_at`, which never changes: you get each result once. In any
                 *     other order, a result that changes can move past the cursor, so you may miss it or get it twice. `updated_at`,
                 *     ascending, only repeats results. With `updated_from`, all pages end where the list ended on the first one.
                 * @example eyJhZnRlciI6WyIyMDI2LTExLTIwVDA5OjMwOjAwLjAwMFoiXX0
                 */
                cursor?: components["parameters"]["Cursor"];
                /**
                 * @description Events of any of these types. Separate types with commas, or repeat the parameter.
                 * @example [
                 *       "lead.created",
                 *       "lead.status_changed"
                 *     ]
                 */
                types?: components["parameters"]["EventTypesFilter"];
                /**
                 * @description What this API client or inbound hook did.
                 * @example client_01m7w4n5e0e0vbbhcpvg4zwf73
                 */
                actor_id?: components["parameters"]["ActorId"];
                /**
                 * @description What was done on behalf of this user.
                 * @example user_01m7w4n5e0eymtkc82hvhg0xb9
                 */
                actor_user_id?: components["parameters"]["ActorUserId"];
                /**
                 * @description What happened at this moment or later. Send an RFC 3339 instant or a date. A date includes its whole day.
                 * @example 2026-11-01
                 */
                occurred_from?: components["parameters"]["OccurredFrom"];
                /**
                 * @description What happened at this moment or earlier. Send an RFC 3339 instant or a date. A date includes its whole day.
                 * @example 2026-11-30
                 */
                occurred_to?: components["parameters"]["OccurredTo"];
            };
            header?: never;
            path: {
                /**
                 * @description The id of the contact.
                 * @example contact_01m7w4n5e0fymt8j463c8gepsz
                 */
                id: components["parameters"]["ContactId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of events. */
            200: {
                headers: {
                    Link: components["headers"]["Link"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Environment": components["headers"]["XEnvironment"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventListResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getContact: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` that you already have. If it is still current, the service answers 304 without a body.
                 * @example "3"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description The id of the contact.
                 * @example contact_01m7w4n5e0fymt8j463c8gepsz
                 */
                id: components["parameters"]["ContactId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The contact. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Environment": components["headers"]["XEnvironment"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactResponse"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteContact: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` that you last read. If the resource has changed since, the service changes nothing and answers 412.
                 * @example "3"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
                /**
                 * @description With `true`, the service does everything, answers, and rolls it back. Ids in the answer do not exist.
                 * @example true
                 */
                "Dry-Run"?: components["parameters"]["DryRun"];
                /**
                 * @description The active user on whose behalf you act, instead of your client's own `user_id`. Histories then name the user.
                 * @example user_01m7w4n5e0eymtkc82hvhg0xb9
                 */
                "Acting-User"?: components["parameters"]["ActingUser"];
            };
            path: {
                /**
                 * @description The id of the contact.
                 * @example contact_01m7w4n5e0fymt8j463c8gepsz
                 */
                id: components["parameters"]["ContactId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The contact was deleted. */
            204: {
                headers: {
                    "Dry-Run": components["headers"]["DryRun"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Environment": components["headers"]["XEnvironment"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            412: components["responses"]["PreconditionFailed"];
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    updateContact: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Lets you safely repeat a request whose answer did not arrive. Send a new random UUID with each new request. A
                 *     repeat with the same key within 24 hours changes nothing: it gets the stored answer with `Idempotency-Replayed:
                 *     true`, if its credentials have the scopes that the answer depends on. Errors are not stored.
                 *
                 *     Each client has its own keys. A different request with the same key is a 422 with the code
                 *     `idempotency_key_reused`. When a client's answers take all their room, a new key is a 429
                 *     `idempotency_storage_full`.
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /**
                 * @description The `ETag` that you last read. If the resource has changed since, the service changes nothing and answers 412.
                 * @example "3"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
                /**
                 * @description With `true`, the service does everything, answers, and rolls it back. Ids in the answer do not exist.
                 * @example true
                 */
                "Dry-Run"?: components["parameters"]["DryRun"];
                /**
                 * @description The active user on whose behalf you act, instead of your client's own `user_id`. Histories then name the user.
                 * @example user_01m7w4n5e0eymtkc82hvhg0xb9
                 */
                "Acting-User"?: components["parameters"]["ActingUser"];
            };
            path: {
                /**
                 * @description The id of the contact.
                 * @example contact_01m7w4n5e0fymt8j463c8gepsz
                 */
                id: components["parameters"]["ContactId"];
            };
            cookie?: never;
        };
        /** @description The fields to change. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "title": "Chief Engineer",
                 *       "assigned_user_id": null
                 *     }
                 */
                "application/json": components["schemas"]["UpdateContact"];
                /**
                 * @example {
                 *       "phone": null,
                 *       "metadata": {
                 *         "plan": null
                 *       }
                 *     }
                 */
                "application/merge-patch+json": components["schemas"]["UpdateContact"];
            };
        };
        responses: {
            /** @description The contact after the change. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    "Dry-Run": components["headers"]["DryRun"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Environment": components["headers"]["XEnvironment"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactResponse"];
                };
            };
            204: components["responses"]["NotShown"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["UriTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listContent: {
        parameters: {
            query: {
                /**
                 * @description The page to return. The default is 1. You can't combine it with `cursor`.
                 * @example 1
                 */
                page?: components["parameters"]["Page"];
                /**
                 * @description The number of results on a page. If you read nothing for 30 seconds, the service closes the connection.
                 * @example 20
                 */
                per_page: components["parameters"]["PerPage"];
                /**
                 * @description Continues a list where the last page ended. Send that page's `meta.next_cursor` with the same filters and the
                 *     same `sort`, but without `page`. You neither miss nor repeat a result when others insert rows. A cursor is valid
                 *     only for its list and its environment.
                 *
                 *     If results change while you read, sort by `created_at`, which never changes: you get each result once. In any
                 *     other order, a result that changes can move past the cursor, so you may miss it or get it twice. `updated_at`,
                 *     ascending, only repeats results. With `updated_from`, all pages end where the list ended on the first one.
                 * @example eyJhZnRlciI6WyIyMDI2LTExLTIwVDA5OjMwOjAwLjAwMFoiXX0
                 */
                cursor?: components["parameters"]["Cursor"];
                /**
                 * @description Content with any of these statuses. Separate statuses with commas, or repeat the parameter.
                 * @example [
                 *       "draft",
                 *       "published"
                 *     ]
                 */
                status?: components["schemas"]["ContentStatus"][];
                /**
                 * @description Content of any of these types. Separate types with commas, or repeat the parameter.
                 * @example [
                 *       "ebook"
                 *     ]
                 */
                type?: components["schemas"]["ContentKind"][];
                /**
                 * @description Content in any of these languages. Separate languages with commas, or repeat the parameter. Case doesn't
                 *     matter. `de` does not match `de-AT`.
                 * @example [
                 *       "en",
                 *       "pt-BR"
                 *     ]
                 */
                language?: components["schemas"]["Language"][];
                /**
                 * @description Results with any of these tags. Separate tags with commas, or repeat the parameter. You can't filter by a tag
                 *     that contains a comma.
                 * @example [
                 *       "vip"
                 *     ]
                 */
                tag?: components["parameters"]["Tag"];
                /**
                 * @description Results whose `metadata` has these values. Put the key in brackets, as in `metadata[plan]=gold`. With several
                 *     keys, a result must match all of them. The whole value must be equal, with the same case.
                 * @example {
                 *       "plan": "enterprise"
                 *     }
                 */
                metadata?: components["parameters"]["MetadataFilter"];
                /**
                 * @description Finds results that contain all of these words. Each word also matches the beginning of a longer word. Case and
                 *     accents don't matter. A search can have at most ten words. Repeated words and beginnings of other words don't
                 *     count. The operation's description names the fields. A request with `search` counts in the rate-limit class
                 *     `search`.
                 * @example ada acme
                 */
                search?: components["parameters"]["Search"];
                /**
                 * @description Results created at this moment or later. Send an RFC 3339 instant or a date. A date includes its whole day.
                 * @example 2026-11-01
                 */
                created_from?: components["parameters"]["CreatedFrom"];
                /**
                 * @description Results created at this moment or earlier. Send an RFC 3339 instant or a date. A date includes its whole day.
                 * @example 2026-11-30
                 */
                created_to?: components["parameters"]["CreatedTo"];
                /**
                 * @description Results last changed at this moment or later. Send an RFC 3339 instant or a date. A date includes its whole day.
                 *
                 *     With this parameter you can poll for changes. Send the greatest `updated_at` that you have seen, and
                 *     `sort=updated_at`. The list ends at the start of the oldest change that is still being saved, so that no later
                 *     request finds a change before those that you have seen.
                 * @example 2026-11-20T09:30:00.000Z
                 */
                updated_from?: components["parameters"]["UpdatedFrom"];
                /**
                 * @description Results last changed at this moment or earlier. Send an RFC 3339 instant or a date. A date includes its whole
                 *     day.
                 * @example 2026-11-20T18:00:00+01:00
                 */
                updated_to?: components["parameters"]["UpdatedTo"];
                /**
                 * @description Content published at this moment or later. Send an RFC 3339 instant or a date. A date includes its whole
                 *     day.
                 * @example 2026-11-01
                 */
                published_from?: components["schemas"]["InstantOrDate"];
                /**
                 * @description Content published at this moment or earlier. Send an RFC 3339 instant or a date. A date includes its whole
                 *     day.
                 * @example 2026-11-30
                 */
                published_to?: components["schemas"]["InstantOrDate"];
                /**
                 * @description Content by this author. Use `none` for content without an author.
                 * @example user_01m7w4n5e0eymtkc82hvhg0xb9
                 */
                author_user_id?: string;
                /**
                 * @description The content with this slug.
                 * @example seven-ways-to-count-leads
                 */
                slug?: string;
                /**
                 * @description The field to sort by. A leading `-` means descending.
                 * @example -updated_at
                 */
                sort: components["schemas"]["ContentOrder"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of content. A page after the last one is empty. */
            200: {
                headers: {
                    Link: components["headers"]["Link"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Environment": components["headers"]["XEnvironment"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContentListResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createContent: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Lets you safely repeat a request whose answer did not arrive. Send a new random UUID with each new request. A
                 *     repeat with the same key within 24 hours changes nothing: it gets the stored answer with `Idempotency-Replayed:
                 *     true`, if its credentials have the scopes that the answer depends on. Errors are not stored.
                 *
                 *     Each client has its own keys. A different request with the same key is a 422 with the code
                 *     `idempotency_key_reused`. When a client's answers take all their room, a new key is a 429
                 *     `idempotency_storage_full`.
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /**
                 * @description With `true`, the service does everything, answers, and rolls it back. Ids in the answer do not exist.
                 * @example true
                 */
                "Dry-Run"?: components["parameters"]["DryRun"];
                /**
                 * @description The active user on whose behalf you act, instead of your client's own `user_id`. Histories then name the user.
                 * @example user_01m7w4n5e0eymtkc82hvhg0xb9
                 */
                "Acting-User"?: components["parameters"]["ActingUser"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description The new content. It starts as a draft. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateContent"];
            };
        };
        responses: {
            /** @description The content was created. */
            201: {
                headers: {
                    Location: components["headers"]["Location"];
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    "Dry-Run": components["headers"]["DryRun"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Environment": components["headers"]["XEnvironment"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContentResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["UriTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ContentInvalid"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getContent: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` that you already have. If it is still current, the service answers 304 without a body.
                 * @example "3"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description The id of the content.
                 * @example content_01m7w4n5e0fj29y8hnfp12qb0m
                 */
                id: components["parameters"]["ContentId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The content. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Environment": components["headers"]["XEnvironment"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContentResponse"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteContent: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` that you last read. If the resource has changed since, the service changes nothing and answers 412.
                 * @example "3"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
                /**
                 * @description With `true`, the service does everything, answers, and rolls it back. Ids in the answer do not exist.
                 * @example true
                 */
                "Dry-Run"?: components["parameters"]["DryRun"];
                /**
                 * @description The active user on whose behalf you act, instead of your client's own `user_id`. Histories then name the user.
                 * @example user_01m7w4n5e0eymtkc82hvhg0xb9
                 */
                "Acting-User"?: components["parameters"]["ActingUser"];
            };
            path: {
                /**
                 * @description The id of the content.
                 * @example content_01m7w4n5e0fj29y8hnfp12qb0m
                 */
                id: components["parameters"]["ContentId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The content was deleted. */
            204: {
                headers: {
                    "Dry-Run": components["headers"]["DryRun"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Environment": components["headers"]["XEnvironment"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            412: components["responses"]["PreconditionFailed"];
            414: components["responses"]["UriTooLong"];
            422: components["responses"]["ContentInUse"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    updateContent: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Lets you safely repeat a request whose answer did not arrive. Send a new random UUID with each new request. A
                 *     repeat with the same key within 24 hours changes nothing: it gets the stored answer with `Idempotency-Replayed:
                 *     true`, if its credentials have the scopes that the answer depends on. Errors are not stored.
                 *
                 *     Each client has its own keys. A different request with the same key is a 422 with the code
                 *     `idempotency_key_reused`. When a client's answers take all their room, a new key is a 429
                 *     `idempotency_storage_full`.
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /**
                 * @description The `ETag` that you last read. If the resource has changed since, the service changes nothing and answers 412.
                 * @example "3"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
                /**
                 * @description With `true`, the service does everything, answers, and rolls it back. Ids in the answer do not exist.
                 * @example true
                 */
                "Dry-Run"?: components["parameters"]["DryRun"];
                /**
                 * @description The active user on whose behalf you act, instead of your client's own `user_id`. Histories then name the user.
                 * @example user_01m7w4n5e0eymtkc82hvhg0xb9
                 */
                "Acting-User"?: components["parameters"]["ActingUser"];
            };
            path: {
                /**
                 * @description The id of the content.
                 * @example content_01m7w4n5e0fj29y8hnfp12qb0m
                 */
                id: components["parameters"]["ContentId"];
            };
            cookie?: never;
        };
        /** @description The fields to change. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "title": "Eight Ways to Count Leads",
                 *       "slug": "eight-ways-to-count-leads"
                 *     }
                 */
                "application/json": components["schemas"]["UpdateContent"];
                /**
                 * @example {
                 *       "url": null,
                 *       "metadata": {
                 *         "campaign": null
                 *       }
                 *     }
                 */
                "application/merge-patch+json": components["schemas"]["UpdateContent"];
            };
        };
        responses: {
            /** @description The content after the change. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    "Dry-Run": components["headers"]["DryRun"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Environment": components["headers"]["XEnvironment"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContentResponse"];
                };
            };
            204: components["responses"]["NotShown"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["UriTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ContentInvalid"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listContentEvents: {
        parameters: {
            query: {
                /**
                 * @description The page to return. The default is 1. You can't combine it with `cursor`.
                 * @example 1
                 */
                page?: components["parameters"]["Page"];
                /**
                 * @description The number of results on a page. If you read nothing for 30 seconds, the service closes the connection.
                 * @example 20
                 */
                per_page: components["parameters"]["PerPage"];
                /**
                 * @description Continues a list where the last page ended. Send that page's `meta.next_cursor` with the same filters and the
                 *     same `sort`, but without `page`. You neither miss nor repeat a result when others insert rows. A cursor is valid
                 *     only for its list and its environment.
                 *
                 *     If results change while you read, sort by `created_at`, which never changes: you get each result once. In any
                 *     other order, a result that changes can move past the cursor, so you may miss it or get it twice. `updated_at`,
                 *     ascending, only repeats results. With `updated_from`, all pages end where the list ended on the first one.
                 * @example eyJhZnRlciI6WyIyMDI2LTExLTIwVDA5OjMwOjAwLjAwMFoiXX0
                 */
                cursor?: components["parameters"]["Cursor"];
                /**
                 * @description Events of any of these types. Separate types with commas, or repeat the parameter.
                 * @example [
                 *       "lead.created",
                 *       "lead.status_changed"
                 *     ]
                 */
                types?: components["parameters"]["EventTypesFilter"];
                /**
                 * @description What this API client or inbound hook did.
                 * @example client_01m7w4n5e0e0vbbhcpvg4zwf73
                 */
                actor_id?: components["parameters"]["ActorId"];
                /**
                 * @description What was done on behalf of this user.
                 * @example user_01m7w4n5e0eymtkc82hvhg0xb9
                 */
                actor_user_id?: components["parameters"]["ActorUserId"];
                /**
                 * @description What happened at this moment or later. Send an RFC 3339 instant or a date. A date includes its whole day.
                 * @example 2026-11-01
                 */
                occurred_from?: components["parameters"]["OccurredFrom"];
                /**
                 * @description What happened at this moment or earlier. Send an RFC 3339 instant or a date. A date includes its whole day.
                 * @example 2026-11-30
                 */
                occurred_to?: components["parameters"]["OccurredTo"];
            };
            header?: never;
            path: {
                /**
                 * @description The id of the content.
                 * @example content_01m7w4n5e0fj29y8hnfp12qb0m
                 */
                id: components["parameters"]["ContentId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of events. */
            200: {
                headers: {
                    Link: components["headers"]["Link"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Environment": components["headers"]["XEnvironment"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventListResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    publishContent: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Lets you safely repeat a request whose answer did not arrive. Send a new random UUID with each new request. A
                 *     repeat with the same key within 24 hours changes nothing: it gets the stored answer with `Idempotency-Replayed:
                 *     true`, if its credentials have the scopes that the answer depends on. Errors are not stored.
                 *
                 *     Each client has its own keys. A different request with the same key is a 422 with the code
                 *     `idempotency_key_reused`. When a client's answers take all their room, a new key is a 429
                 *     `idempotency_storage_full`.
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /**
                 * @description The `ETag` that you last read. If the resource has changed since, the service changes nothing and answers 412.
                 * @example "3"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
                /**
                 * @description With `true`, the service does everything, answers, and rolls it back. Ids in the answer do not exist.
                 * @example true
                 */
                "Dry-Run"?: components["parameters"]["DryRun"];
                /**
                 * @description The active user on whose behalf you act, instead of your client's own `user_id`. Histories then name the user.
                 * @example user_01m7w4n5e0eymtkc82hvhg0xb9
                 */
                "Acting-User"?: components["parameters"]["ActingUser"];
            };
            path: {
                /**
                 * @description The id of the content.
                 * @example content_01m7w4n5e0fj29y8hnfp12qb0m
                 */
                id: components["parameters"]["ContentId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The published content. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    "Dry-Run": components["headers"]["DryRun"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Environment": components["headers"]["XEnvironment"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContentResponse"];
                };
            };
            204: components["responses"]["NotShown"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            412: components["responses"]["PreconditionFailed"];
            414: components["responses"]["UriTooLong"];
            422: components["responses"]["KeyReused"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    unpublishContent: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Lets you safely repeat a request whose answer did not arrive. Send a new random UUID with each new request. A
                 *     repeat with the same key within 24 hours changes nothing: it gets the stored answer with `Idempotency-Replayed:
                 *     true`, if its credentials have the scopes that the answer depends on. Errors are not stored.
                 *
                 *     Each client has its own keys. A different request with the same key is a 422 with the code
                 *     `idempotency_key_reused`. When a client's answers take all their room, a new key is a 429
                 *     `idempotency_storage_full`.
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /**
                 * @description The `ETag` that you last read. If the resource has changed since, the service changes nothing and answers 412.
                 * @example "3"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
                /**
                 * @description With `true`, the service does everything, answers, and rolls it back. Ids in the answer do not exist.
                 * @example true
                 */
                "Dry-Run"?: components["parameters"]["DryRun"];
                /**
                 * @description The active user on whose behalf you act, instead of your client's own `user_id`. Histories then name the user.
                 * @example user_01m7w4n5e0eymtkc82hvhg0xb9
                 */
                "Acting-User"?: components["parameters"]["ActingUser"];
            };
            path: {
                /**
                 * @description The id of the content.
                 * @example content_01m7w4n5e0fj29y8hnfp12qb0m
                 */
                id: components["parameters"]["ContentId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The content, now a draft. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    "Dry-Run": components["headers"]["DryRun"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Environment": components["headers"]["XEnvironment"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContentResponse"];
                };
            };
            204: components["responses"]["NotShown"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            412: components["responses"]["PreconditionFailed"];
            414: components["responses"]["UriTooLong"];
            422: components["responses"]["KeyReused"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    archiveContent: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Lets you safely repeat a request whose answer did not arrive. Send a new random UUID with each new request. A
                 *     repeat with the same key within 24 hours changes nothing: it gets the stored answer with `Idempotency-Replayed:
                 *     true`, if its credentials have the scopes that the answer depends on. Errors are not stored.
                 *
                 *     Each client has its own keys. A different request with the same key is a 422 with the code
                 *     `idempotency_key_reused`. When a client's answers take all their room, a new key is a 429
                 *     `idempotency_storage_full`.
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /**
                 * @description The `ETag` that you last read. If the resource has changed since, the service changes nothing and answers 412.
                 * @example "3"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
                /**
                 * @description With `true`, the service does everything, answers, and rolls it back. Ids in the answer do not exist.
                 * @example true
                 */
                "Dry-Run"?: components["parameters"]["DryRun"];
                /**
                 * @description The active user on whose behalf you act, instead of your client's own `user_id`. Histories then name the user.
                 * @example user_01m7w4n5e0eymtkc82hvhg0xb9
                 */
                "Acting-User"?: components["parameters"]["ActingUser"];
            };
            path: {
                /**
                 * @description The id of the content.
                 * @example content_01m7w4n5e0fj29y8hnfp12qb0m
                 */
                id: components["parameters"]["ContentId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The archived content. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    "Dry-Run": components["headers"]["DryRun"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Environment": components["headers"]["XEnvironment"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContentResponse"];
                };
            };
            204: components["responses"]["NotShown"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            412: components["responses"]["PreconditionFailed"];
            414: components["responses"]["UriTooLong"];
            422: components["responses"]["KeyReused"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listUsers: {
        parameters: {
            query: {
                /**
                 * @description The page to return. The default is 1. You can't combine it with `cursor`.
                 * @example 1
                 */
                page?: components["parameters"]["Page"];
                /**
                 * @description The number of results on a page. If you read nothing for 30 seconds, the service closes the connection.
                 * @example 20
                 */
                per_page: components["parameters"]["PerPage"];
                /**
                 * @description Continues a list where the last page ended. Send that page's `meta.next_cursor` with the same filters and the
                 *     same `sort`, but without `page`. You neither miss nor repeat a result when others insert rows. A cursor is valid
                 *     only for its list and its environment.
                 *
                 *     If results change while you read, sort by `created_at`, which never changes: you get each result once. In any
                 *     other order, a result that changes can move past the cursor, so you may miss it or get it twice. `updated_at`,
                 *     ascending, only repeats results. With `updated_from`, all pages end where the list ended on the first one.
                 * @example eyJhZnRlciI6WyIyMDI2LTExLTIwVDA5OjMwOjAwLjAwMFoiXX0
                 */
                cursor?: components["parameters"]["Cursor"];
                /**
                 * @description `true` for active users only, `false` for inactive ones only.
                 * @example true
                 */
                active?: boolean;
                /**
                 * @description The result with this email address. Case doesn't matter.
                 * @example ada@example.com
                 */
                email?: components["parameters"]["EmailFilter"];
                /**
                 * @description The result with this external id.
                 * @example crm-4711
                 */
                external_id?: components["parameters"]["ExternalIdFilter"];
                /**
                 * @description Results whose `metadata` has these values. Put the key in brackets, as in `metadata[plan]=gold`. With several
                 *     keys, a result must match all of them. The whole value must be equal, with the same case.
                 * @example {
                 *       "plan": "enterprise"
                 *     }
                 */
                metadata?: components["parameters"]["MetadataFilter"];
                /**
                 * @description Finds results that contain all of these words. Each word also matches the beginning of a longer word. Case and
                 *     accents don't matter. A search can have at most ten words. Repeated words and beginnings of other words don't
                 *     count. The operation's description names the fields. A request with `search` counts in the rate-limit class
                 *     `search`.
                 * @example ada acme
                 */
                search?: components["parameters"]["Search"];
                /**
                 * @description Results created at this moment or later. Send an RFC 3339 instant or a date. A date includes its whole day.
                 * @example 2026-11-01
                 */
                created_from?: components["parameters"]["CreatedFrom"];
                /**
                 * @description Results created at this moment or earlier. Send an RFC 3339 instant or a date. A date includes its whole day.
                 * @example 2026-11-30
                 */
                created_to?: components["parameters"]["CreatedTo"];
                /**
                 * @description Results last changed at this moment or later. Send an RFC 3339 instant or a date. A date includes its whole day.
                 *
                 *     With this parameter you can poll for changes. Send the greatest `updated_at` that you have seen, and
                 *     `sort=updated_at`. The list ends at the start of the oldest change that is still being saved, so that no later
                 *     request finds a change before those that you have seen.
                 * @example 2026-11-20T09:30:00.000Z
                 */
                updated_from?: components["parameters"]["UpdatedFrom"];
                /**
                 * @description Results last changed at this moment or earlier. Send an RFC 3339 instant or a date. A date includes its whole
                 *     day.
                 * @example 2026-11-20T18:00:00+01:00
                 */
                updated_to?: components["parameters"]["UpdatedTo"];
                /**
                 * @description The field to sort by. A leading `-` means descending.
                 * @example -updated_at
                 */
                sort: components["schemas"]["UserOrder"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of users. A page after the last one is empty. */
            200: {
                headers: {
                    Link: components["headers"]["Link"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Environment": components["headers"]["XEnvironment"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserListResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createUser: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Lets you safely repeat a request whose answer did not arrive. Send a new random UUID with each new request. A
                 *     repeat with the same key within 24 hours changes nothing: it gets the stored answer with `Idempotency-Replayed:
                 *     true`, if its credentials have the scopes that the answer depends on. Errors are not stored.
                 *
                 *     Each client has its own keys. A different request with the same key is a 422 with the code
                 *     `idempotency_key_reused`. When a client's answers take all their room, a new key is a 429
                 *     `idempotency_storage_full`.
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /**
                 * @description With `true`, the service does everything, answers, and rolls it back. Ids in the answer do not exist.
                 * @example true
                 */
                "Dry-Run"?: components["parameters"]["DryRun"];
                /**
                 * @description The active user on whose behalf you act, instead of your client's own `user_id`. Histories then name the user.
                 * @example user_01m7w4n5e0eymtkc82hvhg0xb9
                 */
                "Acting-User"?: components["parameters"]["ActingUser"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description The new user. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateUser"];
            };
        };
        responses: {
            /** @description The user was created. */
            201: {
                headers: {
                    Location: components["headers"]["Location"];
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    "Dry-Run": components["headers"]["DryRun"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Environment": components["headers"]["XEnvironment"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["UriTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getUserByExternalId: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` that you already have. If it is still current, the service answers 304 without a body.
                 * @example "3"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description The user's id in your own system, such as your directory of employees. Percent-encode it, so that a slash
                 *     becomes `%2F`. It can't contain control characters, such as a line feed.
                 * @example hr-1906
                 */
                external_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The user. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Environment": components["headers"]["XEnvironment"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserResponse"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            414: components["responses"]["UriTooLong"];
            422: components["responses"]["ExternalIdInvalid"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    upsertUser: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` that you last read. If the resource has changed since, the service changes nothing and answers 412.
                 * @example "3"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
                /**
                 * @description With `*`, the request only creates. If the resource exists, the service changes nothing and answers 412.
                 * @example *
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatchToCreate"];
                /**
                 * @description With `true`, the service does everything, answers, and rolls it back. Ids in the answer do not exist.
                 * @example true
                 */
                "Dry-Run"?: components["parameters"]["DryRun"];
                /**
                 * @description The active user on whose behalf you act, instead of your client's own `user_id`. Histories then name the user.
                 * @example user_01m7w4n5e0eymtkc82hvhg0xb9
                 */
                "Acting-User"?: components["parameters"]["ActingUser"];
            };
            path: {
                /**
                 * @description The user's id in your own system, such as your directory of employees. Percent-encode it, so that a slash
                 *     becomes `%2F`. It can't contain control characters, such as a line feed.
                 * @example hr-1906
                 */
                external_id: string;
            };
            cookie?: never;
        };
        /** @description The fields to set. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Grace Hopper",
                 *       "email": "grace@example.com"
                 *     }
                 */
                "application/json": components["schemas"]["UpsertUser"];
                /**
                 * @example {
                 *       "name": "Grace Hopper",
                 *       "email": "grace@example.com"
                 *     }
                 */
                "application/merge-patch+json": components["schemas"]["UpsertUser"];
            };
        };
        responses: {
            /** @description The user after the change. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Dry-Run": components["headers"]["DryRun"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Environment": components["headers"]["XEnvironment"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserResponse"];
                };
            };
            /** @description The new user. */
            201: {
                headers: {
                    Location: components["headers"]["Location"];
                    ETag: components["headers"]["ETag"];
                    "Dry-Run": components["headers"]["DryRun"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Environment": components["headers"]["XEnvironment"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserResponse"];
                };
            };
            204: components["responses"]["NotShownUnkeyed"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["UriTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteUserByExternalId: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` that you last read. If the resource has changed since, the service changes nothing and answers 412.
                 * @example "3"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
                /**
                 * @description With `true`, the service does everything, answers, and rolls it back. Ids in the answer do not exist.
                 * @example true
                 */
                "Dry-Run"?: components["parameters"]["DryRun"];
                /**
                 * @description The active user on whose behalf you act, instead of your client's own `user_id`. Histories then name the user.
                 * @example user_01m7w4n5e0eymtkc82hvhg0xb9
                 */
                "Acting-User"?: components["parameters"]["ActingUser"];
            };
            path: {
                /**
                 * @description The user's id in your own system, such as your directory of employees. Percent-encode it, so that a slash
                 *     becomes `%2F`. It can't contain control characters, such as a line feed.
                 * @example hr-1906
                 */
                external_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The user was deleted. */
            204: {
                headers: {
                    "Dry-Run": components["headers"]["DryRun"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Environment": components["headers"]["XEnvironment"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            412: components["responses"]["PreconditionFailed"];
            414: components["responses"]["UriTooLong"];
            422: components["responses"]["UserByExternalIdInUse"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getUser: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` that you already have. If it is still current, the service answers 304 without a body.
                 * @example "3"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description The id of the user.
                 * @example user_01m7w4n5e0eymtkc82hvhg0xb9
                 */
                id: components["parameters"]["UserId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The user. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Environment": components["headers"]["XEnvironment"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserResponse"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteUser: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` that you last read. If the resource has changed since, the service changes nothing and answers 412.
                 * @example "3"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
                /**
                 * @description With `true`, the service does everything, answers, and rolls it back. Ids in the answer do not exist.
                 * @example true
                 */
                "Dry-Run"?: components["parameters"]["DryRun"];
                /**
                 * @description The active user on whose behalf you act, instead of your client's own `user_id`. Histories then name the user.
                 * @example user_01m7w4n5e0eymtkc82hvhg0xb9
                 */
                "Acting-User"?: components["parameters"]["ActingUser"];
            };
            path: {
                /**
                 * @description The id of the user.
                 * @example user_01m7w4n5e0eymtkc82hvhg0xb9
                 */
                id: components["parameters"]["UserId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The user was deleted. */
            204: {
                headers: {
                    "Dry-Run": components["headers"]["DryRun"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Environment": components["headers"]["XEnvironment"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            412: components["responses"]["PreconditionFailed"];
            414: components["responses"]["UriTooLong"];
            422: components["responses"]["UserInUse"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    updateUser: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Lets you safely repeat a request whose answer did not arrive. Send a new random UUID with each new request. A
                 *     repeat with the same key within 24 hours changes nothing: it gets the stored answer with `Idempotency-Replayed:
                 *     true`, if its credentials have the scopes that the answer depends on. Errors are not stored.
                 *
                 *     Each client has its own keys. A different request with the same key is a 422 with the code
                 *     `idempotency_key_reused`. When a client's answers take all their room, a new key is a 429
                 *     `idempotency_storage_full`.
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /**
                 * @description The `ETag` that you last read. If the resource has changed since, the service changes nothing and answers 412.
                 * @example "3"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
                /**
                 * @description With `true`, the service does everything, answers, and rolls it back. Ids in the answer do not exist.
                 * @example true
                 */
                "Dry-Run"?: components["parameters"]["DryRun"];
                /**
                 * @description The active user on whose behalf you act, instead of your client's own `user_id`. Histories then name the user.
                 * @example user_01m7w4n5e0eymtkc82hvhg0xb9
                 */
                "Acting-User"?: components["parameters"]["ActingUser"];
            };
            path: {
                /**
                 * @description The id of the user.
                 * @example user_01m7w4n5e0eymtkc82hvhg0xb9
                 */
                id: components["parameters"]["UserId"];
            };
            cookie?: never;
        };
        /** @description The fields to change. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "active": false
                 *     }
                 */
                "application/json": components["schemas"]["UpdateUser"];
                /**
                 * @example {
                 *       "name": "Grace Brewster Hopper"
                 *     }
                 */
                "application/merge-patch+json": components["schemas"]["UpdateUser"];
            };
        };
        responses: {
            /** @description The user after the change. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    "Dry-Run": components["headers"]["DryRun"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Environment": components["headers"]["XEnvironment"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserResponse"];
                };
            };
            204: components["responses"]["NotShown"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["UriTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listEvents: {
        parameters: {
            query: {
                /**
                 * @description The `next_cursor` of an earlier answer from this environment. Without it, the answer starts with the oldest
                 *     event. `latest` returns no events, only a cursor for the current end of the log. A cursor is a position in
                 *     the log, so you can change the filters between requests.
                 *
                 *     If events after your cursor have been deleted, the answer is a 410 with the code `events_expired`. Ask for
                 *     `after=latest`, read the lists again, then continue with that cursor. If you read an export instead of a
                 *     list, send `Cache-Control: no-cache` with it. Do the same after a 410 with the code `log_restored`, which
                 *     means that the service was restored from a backup older than your cursor.
                 * @example latest
                 */
                after?: string;
                /**
                 * @description Events of any of these types. Separate types with commas, or repeat the parameter.
                 * @example [
                 *       "lead.created",
                 *       "lead.status_changed"
                 *     ]
                 */
                types?: components["parameters"]["EventTypesFilter"];
                /**
                 * @description Events of this lead, contact, content, user, inbound hook or webhook. To find a note's events, use the id of
                 *     its lead or contact.
                 * @example lead_01m7w4n5e0e3tajy9kep34bze2
                 */
                resource_id?: string;
                /**
                 * @description What this API client or inbound hook did.
                 * @example client_01m7w4n5e0e0vbbhcpvg4zwf73
                 */
                actor_id?: components["parameters"]["ActorId"];
                /**
                 * @description What was done on behalf of this user.
                 * @example user_01m7w4n5e0eymtkc82hvhg0xb9
                 */
                actor_user_id?: components["parameters"]["ActorUserId"];
                /**
                 * @description What happened at this moment or later. Send an RFC 3339 instant or a date. A date includes its whole day.
                 * @example 2026-11-01
                 */
                occurred_from?: components["parameters"]["OccurredFrom"];
                /**
                 * @description What happened at this moment or earlier. Send an RFC 3339 instant or a date. A date includes its whole day.
                 * @example 2026-11-30
                 */
                occurred_to?: components["parameters"]["OccurredTo"];
                /**
                 * @description The maximum number of events in an answer. A page may have fewer even while `has_more` is true. With a
                 *     filter, it may even be empty. Every page ends at 4 MiB, but a single event may be larger. Continue
                 *     with `next_cursor`.
                 * @example 100
                 */
                limit: number;
                /**
                 * @description The number of seconds to wait if there is no event yet. The service answers as soon as there is one, so with
                 *     `wait=30` in every request you get each event as soon as it happens. If there is none in that time, the
                 *     answer is an empty page with a cursor. Without `wait`, the service answers immediately. Give your HTTP
                 *     client a timeout some seconds longer than `wait`. A waiting request counts once.
                 * @example 30
                 */
                wait?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The next events. */
            200: {
                headers: {
                    Link: components["headers"]["Link"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Environment": components["headers"]["XEnvironment"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventFeedResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            410: components["responses"]["EventsExpired"];
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getEvent: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` that you already have. If it is still current, the service answers 304 without a body.
                 * @example "3"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description The id of the event.
                 * @example event_01m7w4n5e0e5w9fsgdq3y8x2rc
                 */
                id: components["parameters"]["EventIdInPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The event. */
            200: {
                headers: {
                    /**
                     * @description Identifies exactly this body, in quotes.
                     * @example "w3q9x4kq0zU4f1yVJ2nX"
                     */
                    ETag: string;
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Environment": components["headers"]["XEnvironment"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventResponse"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listEventTypes: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All event types. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Environment": components["headers"]["XEnvironment"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventTypeListResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listWebhooks: {
        parameters: {
            query: {
                /**
                 * @description The page to return. The default is 1. You can't combine it with `cursor`.
                 * @example 1
                 */
                page?: components["parameters"]["Page"];
                /**
                 * @description The number of results on a page. If you read nothing for 30 seconds, the service closes the connection.
                 * @example 20
                 */
                per_page: components["parameters"]["PerPage"];
                /**
                 * @description Continues a list where the last page ended. Send that page's `meta.next_cursor` with the same filters and the
                 *     same `sort`, but without `page`. You neither miss nor repeat a result when others insert rows. A cursor is valid
                 *     only for its list and its environment.
                 *
                 *     If results change while you read, sort by `created_at`, which never changes: you get each result once. In any
                 *     other order, a result that changes can move past the cursor, so you may miss it or get it twice. `updated_at`,
                 *     ascending, only repeats results. With `updated_from`, all pages end where the list ended on the first one.
                 * @example eyJhZnRlciI6WyIyMDI2LTExLTIwVDA5OjMwOjAwLjAwMFoiXX0
                 */
                cursor?: components["parameters"]["Cursor"];
                /**
                 * @description Results with any of these statuses. Separate statuses with commas, or repeat the parameter.
                 * @example [
                 *       "enabled"
                 *     ]
                 */
                status?: components["schemas"]["WebhookStatus"][];
                /**
                 * @description Results created at this moment or later. Send an RFC 3339 instant or a date. A date includes its whole day.
                 * @example 2026-11-01
                 */
                created_from?: components["parameters"]["CreatedFrom"];
                /**
                 * @description Results created at this moment or earlier. Send an RFC 3339 instant or a date. A date includes its whole day.
                 * @example 2026-11-30
                 */
                created_to?: components["parameters"]["CreatedTo"];
                /**
                 * @description Results last changed at this moment or later. Send an RFC 3339 instant or a date. A date includes its whole day.
                 *
                 *     With this parameter you can poll for changes. Send the greatest `updated_at` that you have seen, and
                 *     `sort=updated_at`. The list ends at the start of the oldest change that is still being saved, so that no later
                 *     request finds a change before those that you have seen.
                 * @example 2026-11-20T09:30:00.000Z
                 */
                updated_from?: components["parameters"]["UpdatedFrom"];
                /**
                 * @description Results last changed at this moment or earlier. Send an RFC 3339 instant or a date. A date includes its whole
                 *     day.
                 * @example 2026-11-20T18:00:00+01:00
                 */
                updated_to?: components["parameters"]["UpdatedTo"];
                /**
                 * @description The field to sort by. A leading `-` means descending.
                 * @example -updated_at
                 */
                sort: components["schemas"]["WebhookOrder"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of webhooks. A page after the last one is empty. */
            200: {
                headers: {
                    Link: components["headers"]["Link"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Environment": components["headers"]["XEnvironment"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookListResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createWebhook: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Lets you safely repeat a request whose answer did not arrive. Send a new random UUID with each new request. A
                 *     repeat with the same key within 24 hours changes nothing: it gets the stored answer with `Idempotency-Replayed:
                 *     true`, if its credentials have the scopes that the answer depends on. Errors are not stored.
                 *
                 *     Each client has its own keys. A different request with the same key is a 422 with the code
                 *     `idempotency_key_reused`. When a client's answers take all their room, a new key is a 429
                 *     `idempotency_storage_full`.
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /**
                 * @description With `true`, the service does everything, answers, and rolls it back. Ids in the answer do not exist.
                 * @example true
                 */
                "Dry-Run"?: components["parameters"]["DryRun"];
                /**
                 * @description The active user on whose behalf you act, instead of your client's own `user_id`. Histories then name the user.
                 * @example user_01m7w4n5e0eymtkc82hvhg0xb9
                 */
                "Acting-User"?: components["parameters"]["ActingUser"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description The new webhook. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateWebhook"];
            };
        };
        responses: {
            /** @description The webhook and its `secret`. Keep the `secret`. */
            201: {
                headers: {
                    Location: components["headers"]["Location"];
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["NoStore"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    "Dry-Run": components["headers"]["DryRun"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Environment": components["headers"]["XEnvironment"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookWithSecretResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["UriTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["WebhookInvalid"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getWebhook: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` that you already have. If it is still current, the service answers 304 without a body.
                 * @example "3"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description The id of the webhook.
                 * @example webhook_01m7w4n5e0f7x8k2q4v6n9r3td
                 */
                id: components["parameters"]["WebhookId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The webhook. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["NoStore"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Environment": components["headers"]["XEnvironment"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookResponse"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteWebhook: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` that you last read. If the resource has changed since, the service changes nothing and answers 412.
                 * @example "3"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
                /**
                 * @description With `true`, the service does everything, answers, and rolls it back. Ids in the answer do not exist.
                 * @example true
                 */
                "Dry-Run"?: components["parameters"]["DryRun"];
                /**
                 * @description The active user on whose behalf you act, instead of your client's own `user_id`. Histories then name the user.
                 * @example user_01m7w4n5e0eymtkc82hvhg0xb9
                 */
                "Acting-User"?: components["parameters"]["ActingUser"];
            };
            path: {
                /**
                 * @description The id of the webhook.
                 * @example webhook_01m7w4n5e0f7x8k2q4v6n9r3td
                 */
                id: components["parameters"]["WebhookId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The webhook was deleted. */
            204: {
                headers: {
                    "Dry-Run": components["headers"]["DryRun"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Environment": components["headers"]["XEnvironment"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            412: components["responses"]["PreconditionFailed"];
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    updateWebhook: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Lets you safely repeat a request whose answer did not arrive. Send a new random UUID with each new request. A
                 *     repeat with the same key within 24 hours changes nothing: it gets the stored answer with `Idempotency-Replayed:
                 *     true`, if its credentials have the scopes that the answer depends on. Errors are not stored.
                 *
                 *     Each client has its own keys. A different request with the same key is a 422 with the code
                 *     `idempotency_key_reused`. When a client's answers take all their room, a new key is a 429
                 *     `idempotency_storage_full`.
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /**
                 * @description The `ETag` that you last read. If the resource has changed since, the service changes nothing and answers 412.
                 * @example "3"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
                /**
                 * @description With `true`, the service does everything, answers, and rolls it back. Ids in the answer do not exist.
                 * @example true
                 */
                "Dry-Run"?: components["parameters"]["DryRun"];
                /**
                 * @description The active user on whose behalf you act, instead of your client's own `user_id`. Histories then name the user.
                 * @example user_01m7w4n5e0eymtkc82hvhg0xb9
                 */
                "Acting-User"?: components["parameters"]["ActingUser"];
            };
            path: {
                /**
                 * @description The id of the webhook.
                 * @example webhook_01m7w4n5e0f7x8k2q4v6n9r3td
                 */
                id: components["parameters"]["WebhookId"];
            };
            cookie?: never;
        };
        /** @description The fields to change. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "status": "enabled"
                 *     }
                 */
                "application/json": components["schemas"]["UpdateWebhook"];
                /**
                 * @example {
                 *       "event_types": [
                 *         "lead.created",
                 *         "lead.deleted"
                 *       ],
                 *       "description": null
                 *     }
                 */
                "application/merge-patch+json": components["schemas"]["UpdateWebhook"];
            };
        };
        responses: {
            /** @description The webhook after the change. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    "Dry-Run": components["headers"]["DryRun"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Environment": components["headers"]["XEnvironment"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookResponse"];
                };
            };
            204: components["responses"]["NotShown"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["UriTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["WebhookInvalid"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    rotateWebhookSecret: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Lets you safely repeat a request whose answer did not arrive. Send a new random UUID with each new request. A
                 *     repeat with the same key within 24 hours changes nothing: it gets the stored answer with `Idempotency-Replayed:
                 *     true`, if its credentials have the scopes that the answer depends on. Errors are not stored.
                 *
                 *     Each client has its own keys. A different request with the same key is a 422 with the code
                 *     `idempotency_key_reused`. When a client's answers take all their room, a new key is a 429
                 *     `idempotency_storage_full`.
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /**
                 * @description The `ETag` that you last read. If the resource has changed since, the service changes nothing and answers 412.
                 * @example "3"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
                /**
                 * @description With `true`, the service does everything, answers, and rolls it back. Ids in the answer do not exist.
                 * @example true
                 */
                "Dry-Run"?: components["parameters"]["DryRun"];
                /**
                 * @description The active user on whose behalf you act, instead of your client's own `user_id`. Histories then name the user.
                 * @example user_01m7w4n5e0eymtkc82hvhg0xb9
                 */
                "Acting-User"?: components["parameters"]["ActingUser"];
            };
            path: {
                /**
                 * @description The id of the webhook.
                 * @example webhook_01m7w4n5e0f7x8k2q4v6n9r3td
                 */
                id: components["parameters"]["WebhookId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The webhook and its new `secret`. Keep the `secret`. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["NoStore"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    "Dry-Run": components["headers"]["DryRun"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Environment": components["headers"]["XEnvironment"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookWithSecretResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            412: components["responses"]["PreconditionFailed"];
            414: components["responses"]["UriTooLong"];
            422: components["responses"]["KeyReused"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    testWebhook: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Lets you safely repeat a request whose answer did not arrive. Send a new random UUID with each new request. A
                 *     repeat with the same key within 24 hours changes nothing: it gets the stored answer with `Idempotency-Replayed:
                 *     true`, if its credentials have the scopes that the answer depends on. Errors are not stored.
                 *
                 *     Each client has its own keys. A different request with the same key is a 422 with the code
                 *     `idempotency_key_reused`. When a client's answers take all their room, a new key is a 429
                 *     `idempotency_storage_full`.
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /**
                 * @description With `true`, the service does everything, answers, and rolls it back. Ids in the answer do not exist.
                 * @example true
                 */
                "Dry-Run"?: components["parameters"]["DryRun"];
                /**
                 * @description The active user on whose behalf you act, instead of your client's own `user_id`. Histories then name the user.
                 * @example user_01m7w4n5e0eymtkc82hvhg0xb9
                 */
                "Acting-User"?: components["parameters"]["ActingUser"];
            };
            path: {
                /**
                 * @description The id of the webhook.
                 * @example webhook_01m7w4n5e0f7x8k2q4v6n9r3td
                 */
                id: components["parameters"]["WebhookId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The service is sending the event. */
            202: {
                headers: {
                    Location: components["headers"]["Location"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    "Dry-Run": components["headers"]["DryRun"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Environment": components["headers"]["XEnvironment"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDeliveryResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            414: components["responses"]["UriTooLong"];
            422: components["responses"]["WebhookNotEnabled"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    replayWebhook: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Lets you safely repeat a request whose answer did not arrive. Send a new random UUID with each new request. A
                 *     repeat with the same key within 24 hours changes nothing: it gets the stored answer with `Idempotency-Replayed:
                 *     true`, if its credentials have the scopes that the answer depends on. Errors are not stored.
                 *
                 *     Each client has its own keys. A different request with the same key is a 422 with the code
                 *     `idempotency_key_reused`. When a client's answers take all their room, a new key is a 429
                 *     `idempotency_storage_full`.
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /**
                 * @description With `true`, the service does everything, answers, and rolls it back. Ids in the answer do not exist.
                 * @example true
                 */
                "Dry-Run"?: components["parameters"]["DryRun"];
                /**
                 * @description The active user on whose behalf you act, instead of your client's own `user_id`. Histories then name the user.
                 * @example user_01m7w4n5e0eymtkc82hvhg0xb9
                 */
                "Acting-User"?: components["parameters"]["ActingUser"];
            };
            path: {
                /**
                 * @description The id of the webhook.
                 * @example webhook_01m7w4n5e0f7x8k2q4v6n9r3td
                 */
                id: components["parameters"]["WebhookId"];
            };
            cookie?: never;
        };
        /** @description The events to send again. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReplayWebhook"];
            };
        };
        responses: {
            /** @description The replay has started. */
            202: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    "Dry-Run": components["headers"]["DryRun"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Environment": components["headers"]["XEnvironment"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookReplayResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["UriTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ReplayFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listWebhookDeliveries: {
        parameters: {
            query: {
                /**
                 * @description The page to return. The default is 1. You can't combine it with `cursor`.
                 * @example 1
                 */
                page?: components["parameters"]["Page"];
                /**
                 * @description The number of results on a page. If you read nothing for 30 seconds, the service closes the connection.
                 * @example 20
                 */
                per_page: components["parameters"]["PerPage"];
                /**
                 * @description Continues a list where the last page ended. Send that page's `meta.next_cursor` with the same filters and the
                 *     same `sort`, but without `page`. You neither miss nor repeat a result when others insert rows. A cursor is valid
                 *     only for its list and its environment.
                 *
                 *     If results change while you read, sort by `created_at`, which never changes: you get each result once. In any
                 *     other order, a result that changes can move past the cursor, so you may miss it or get it twice. `updated_at`,
                 *     ascending, only repeats results. With `updated_from`, all pages end where the list ended on the first one.
                 * @example eyJhZnRlciI6WyIyMDI2LTExLTIwVDA5OjMwOjAwLjAwMFoiXX0
                 */
                cursor?: components["parameters"]["Cursor"];
                /**
                 * @description Results with any of these statuses. Separate statuses with commas, or repeat the parameter.
                 * @example [
                 *       "failed"
                 *     ]
                 */
                status?: components["schemas"]["WebhookDeliveryStatus"][];
                /**
                 * @description Deliveries of events of any of these types. Separate types with commas, or repeat the parameter.
                 * @example [
                 *       "lead.created"
                 *     ]
                 */
                event_type?: components["schemas"]["EventType"][];
                /**
                 * @description Results created at this moment or later. Send an RFC 3339 instant or a date. A date includes its whole day.
                 * @example 2026-11-01
                 */
                created_from?: components["parameters"]["CreatedFrom"];
                /**
                 * @description Results created at this moment or earlier. Send an RFC 3339 instant or a date. A date includes its whole day.
                 * @example 2026-11-30
                 */
                created_to?: components["parameters"]["CreatedTo"];
                /**
                 * @description The field to sort by. A leading `-` means descending.
                 * @example created_at
                 */
                sort: components["schemas"]["WebhookDeliveryOrder"];
            };
            header?: never;
            path: {
                /**
                 * @description The id of the webhook.
                 * @example webhook_01m7w4n5e0f7x8k2q4v6n9r3td
                 */
                id: components["parameters"]["WebhookId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of deliveries. A page after the last one is empty. */
            200: {
                headers: {
                    Link: components["headers"]["Link"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Environment": components["headers"]["XEnvironment"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDeliveryListResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getWebhookDelivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the webhook.
                 * @example webhook_01m7w4n5e0f7x8k2q4v6n9r3td
                 */
                id: components["parameters"]["WebhookId"];
                /**
                 * @description The id of the delivery.
                 * @example delivery_01m7w9c4k1e2r8s5t7v3x6y9zb
                 */
                delivery_id: components["parameters"]["WebhookDeliveryId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The delivery and its attempts. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Environment": components["headers"]["XEnvironment"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDeliveryDetailsResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    redeliverWebhookDelivery: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Lets you safely repeat a request whose answer did not arrive. Send a new random UUID with each new request. A
                 *     repeat with the same key within 24 hours changes nothing: it gets the stored answer with `Idempotency-Replayed:
                 *     true`, if its credentials have the scopes that the answer depends on. Errors are not stored.
                 *
                 *     Each client has its own keys. A different request with the same key is a 422 with the code
                 *     `idempotency_key_reused`. When a client's answers take all their room, a new key is a 429
                 *     `idempotency_storage_full`.
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /**
                 * @description With `true`, the service does everything, answers, and rolls it back. Ids in the answer do not exist.
                 * @example true
                 */
                "Dry-Run"?: components["parameters"]["DryRun"];
                /**
                 * @description The active user on whose behalf you act, instead of your client's own `user_id`. Histories then name the user.
                 * @example user_01m7w4n5e0eymtkc82hvhg0xb9
                 */
                "Acting-User"?: components["parameters"]["ActingUser"];
            };
            path: {
                /**
                 * @description The id of the webhook.
                 * @example webhook_01m7w4n5e0f7x8k2q4v6n9r3td
                 */
                id: components["parameters"]["WebhookId"];
                /**
                 * @description The id of the delivery.
                 * @example delivery_01m7w9c4k1e2r8s5t7v3x6y9zb
                 */
                delivery_id: components["parameters"]["WebhookDeliveryId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The new delivery. */
            202: {
                headers: {
                    Location: components["headers"]["Location"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    "Dry-Run": components["headers"]["DryRun"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Environment": components["headers"]["XEnvironment"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDeliveryResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            414: components["responses"]["UriTooLong"];
            422: components["responses"]["WebhookNotEnabled"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listInboundHooks: {
        parameters: {
            query: {
                /**
                 * @description The page to return. The default is 1. You can't combine it with `cursor`.
                 * @example 1
                 */
                page?: components["parameters"]["Page"];
                /**
                 * @description The number of results on a page. If you read nothing for 30 seconds, the service closes the connection.
                 * @example 20
                 */
                per_page: components["parameters"]["PerPage"];
                /**
                 * @description Continues a list where the last page ended. Send that page's `meta.next_cursor` with the same filters and the
                 *     same `sort`, but without `page`. You neither miss nor repeat a result when others insert rows. A cursor is valid
                 *     only for its list and its environment.
                 *
                 *     If results change while you read, sort by `created_at`, which never changes: you get each result once. In any
                 *     other order, a result that changes can move past the cursor, so you may miss it or get it twice. `updated_at`,
                 *     ascending, only repeats results. With `updated_from`, all pages end where the list ended on the first one.
                 * @example eyJhZnRlciI6WyIyMDI2LTExLTIwVDA5OjMwOjAwLjAwMFoiXX0
                 */
                cursor?: components["parameters"]["Cursor"];
                /**
                 * @description Only hooks with this status.
                 * @example enabled
                 */
                status?: components["schemas"]["InboundHookStatus"];
                /**
                 * @description Finds results that contain all of these words. Each word also matches the beginning of a longer word. Case and
                 *     accents don't matter. A search can have at most ten words. Repeated words and beginnings of other words don't
                 *     count. The operation's description names the fields. A request with `search` counts in the rate-limit class
                 *     `search`.
                 * @example ada acme
                 */
                search?: components["parameters"]["Search"];
                /**
                 * @description Results created at this moment or later. Send an RFC 3339 instant or a date. A date includes its whole day.
                 * @example 2026-11-01
                 */
                created_from?: components["parameters"]["CreatedFrom"];
                /**
                 * @description Results created at this moment or earlier. Send an RFC 3339 instant or a date. A date includes its whole day.
                 * @example 2026-11-30
                 */
                created_to?: components["parameters"]["CreatedTo"];
                /**
                 * @description Results last changed at this moment or later. Send an RFC 3339 instant or a date. A date includes its whole day.
                 *
                 *     With this parameter you can poll for changes. Send the greatest `updated_at` that you have seen, and
                 *     `sort=updated_at`. The list ends at the start of the oldest change that is still being saved, so that no later
                 *     request finds a change before those that you have seen.
                 * @example 2026-11-20T09:30:00.000Z
                 */
                updated_from?: components["parameters"]["UpdatedFrom"];
                /**
                 * @description Results last changed at this moment or earlier. Send an RFC 3339 instant or a date. A date includes its whole
                 *     day.
                 * @example 2026-11-20T18:00:00+01:00
                 */
                updated_to?: components["parameters"]["UpdatedTo"];
                /**
                 * @description The field to sort by. A leading `-` means descending.
                 * @example name
                 */
                sort: components["schemas"]["InboundHookOrder"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of inbound hooks. A page after the last one is empty. */
            200: {
                headers: {
                    Link: components["headers"]["Link"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Environment": components["headers"]["XEnvironment"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InboundHookListResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createInboundHook: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Lets you safely repeat a request whose answer did not arrive. Send a new random UUID with each new request. A
                 *     repeat with the same key within 24 hours changes nothing: it gets the stored answer with `Idempotency-Replayed:
                 *     true`, if its credentials have the scopes that the answer depends on. Errors are not stored.
                 *
                 *     Each client has its own keys. A different request with the same key is a 422 with the code
                 *     `idempotency_key_reused`. When a client's answers take all their room, a new key is a 429
                 *     `idempotency_storage_full`.
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /**
                 * @description With `true`, the service does everything, answers, and rolls it back. Ids in the answer do not exist.
                 * @example true
                 */
                "Dry-Run"?: components["parameters"]["DryRun"];
                /**
                 * @description The active user on whose behalf you act, instead of your client's own `user_id`. Histories then name the user.
                 * @example user_01m7w4n5e0eymtkc82hvhg0xb9
                 */
                "Acting-User"?: components["parameters"]["ActingUser"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description The new hook. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateInboundHook"];
            };
        };
        responses: {
            /** @description The hook and its `url`. Keep the `url`: the service does not show it again. */
            201: {
                headers: {
                    Location: components["headers"]["Location"];
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["NoStore"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    "Dry-Run": components["headers"]["DryRun"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Environment": components["headers"]["XEnvironment"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InboundHookWithUrlResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["UriTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["HookInvalid"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getInboundHook: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` that you already have. If it is still current, the service answers 304 without a body.
                 * @example "3"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description The id of the inbound hook.
                 * @example hook_01m7w4n5e0fwbtrs2p7d9k4x6v
                 */
                id: components["parameters"]["InboundHookId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The hook. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Environment": components["headers"]["XEnvironment"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InboundHookResponse"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteInboundHook: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` that you last read. If the resource has changed since, the service changes nothing and answers 412.
                 * @example "3"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
                /**
                 * @description With `true`, the service does everything, answers, and rolls it back. Ids in the answer do not exist.
                 * @example true
                 */
                "Dry-Run"?: components["parameters"]["DryRun"];
                /**
                 * @description The active user on whose behalf you act, instead of your client's own `user_id`. Histories then name the user.
                 * @example user_01m7w4n5e0eymtkc82hvhg0xb9
                 */
                "Acting-User"?: components["parameters"]["ActingUser"];
            };
            path: {
                /**
                 * @description The id of the inbound hook.
                 * @example hook_01m7w4n5e0fwbtrs2p7d9k4x6v
                 */
                id: components["parameters"]["InboundHookId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The hook was deleted. */
            204: {
                headers: {
                    "Dry-Run": components["headers"]["DryRun"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Environment": components["headers"]["XEnvironment"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            412: components["responses"]["PreconditionFailed"];
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    updateInboundHook: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Lets you safely repeat a request whose answer did not arrive. Send a new random UUID with each new request. A
                 *     repeat with the same key within 24 hours changes nothing: it gets the stored answer with `Idempotency-Replayed:
                 *     true`, if its credentials have the scopes that the answer depends on. Errors are not stored.
                 *
                 *     Each client has its own keys. A different request with the same key is a 422 with the code
                 *     `idempotency_key_reused`. When a client's answers take all their room, a new key is a 429
                 *     `idempotency_storage_full`.
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /**
                 * @description The `ETag` that you last read. If the resource has changed since, the service changes nothing and answers 412.
                 * @example "3"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
                /**
                 * @description With `true`, the service does everything, answers, and rolls it back. Ids in the answer do not exist.
                 * @example true
                 */
                "Dry-Run"?: components["parameters"]["DryRun"];
                /**
                 * @description The active user on whose behalf you act, instead of your client's own `user_id`. Histories then name the user.
                 * @example user_01m7w4n5e0eymtkc82hvhg0xb9
                 */
                "Acting-User"?: components["parameters"]["ActingUser"];
            };
            path: {
                /**
                 * @description The id of the inbound hook.
                 * @example hook_01m7w4n5e0fwbtrs2p7d9k4x6v
                 */
                id: components["parameters"]["InboundHookId"];
            };
            cookie?: never;
        };
        /** @description The fields to change. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "mapping": {
                 *         "phone": null,
                 *         "metadata.form": "/form_id"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["UpdateInboundHook"];
                /**
                 * @example {
                 *       "status": "paused"
                 *     }
                 */
                "application/merge-patch+json": components["schemas"]["UpdateInboundHook"];
            };
        };
        responses: {
            /** @description The hook after the change. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    "Dry-Run": components["headers"]["DryRun"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Environment": components["headers"]["XEnvironment"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InboundHookResponse"];
                };
            };
            204: components["responses"]["NotShown"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["UriTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["HookInvalid"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    rotateInboundHookUrl: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Lets you safely repeat a request whose answer did not arrive. Send a new random UUID with each new request. A
                 *     repeat with the same key within 24 hours changes nothing: it gets the stored answer with `Idempotency-Replayed:
                 *     true`, if its credentials have the scopes that the answer depends on. Errors are not stored.
                 *
                 *     Each client has its own keys. A different request with the same key is a 422 with the code
                 *     `idempotency_key_reused`. When a client's answers take all their room, a new key is a 429
                 *     `idempotency_storage_full`.
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /**
                 * @description The `ETag` that you last read. If the resource has changed since, the service changes nothing and answers 412.
                 * @example "3"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
                /**
                 * @description With `true`, the service does everything, answers, and rolls it back. Ids in the answer do not exist.
                 * @example true
                 */
                "Dry-Run"?: components["parameters"]["DryRun"];
                /**
                 * @description The active user on whose behalf you act, instead of your client's own `user_id`. Histories then name the user.
                 * @example user_01m7w4n5e0eymtkc82hvhg0xb9
                 */
                "Acting-User"?: components["parameters"]["ActingUser"];
            };
            path: {
                /**
                 * @description The id of the inbound hook.
                 * @example hook_01m7w4n5e0fwbtrs2p7d9k4x6v
                 */
                id: components["parameters"]["InboundHookId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The hook and its new `url`. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["NoStore"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    "Dry-Run": components["headers"]["DryRun"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Environment": components["headers"]["XEnvironment"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InboundHookWithUrlResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            412: components["responses"]["PreconditionFailed"];
            414: components["responses"]["UriTooLong"];
            422: components["responses"]["KeyReused"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    previewInboundHook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the inbound hook.
                 * @example hook_01m7w4n5e0fwbtrs2p7d9k4x6v
                 */
                id: components["parameters"]["InboundHookId"];
            };
            cookie?: never;
        };
        /** @description The data that the other system would send, at most 1 MiB. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "payload": {
                 *         "name": "Ada Lovelace",
                 *         "email": "ada@example.com"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["PreviewInboundHook"];
            };
        };
        responses: {
            /** @description What would happen. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Environment": components["headers"]["XEnvironment"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InboundPreviewResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["InboundTooLarge"];
            414: components["responses"]["UriTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["PayloadInvalid"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    answerHookChallenge: {
        parameters: {
            query?: {
                /**
                 * @description Must be `subscribe`.
                 * @example subscribe
                 */
                "hub.mode"?: string;
                /**
                 * @description The text that the answer repeats.
                 * @example 1158201444
                 */
                "hub.challenge"?: string;
                /**
                 * @description The `verify_token` of the hook.
                 * @example verify-4f8a1c9be2
                 */
                "hub.verify_token"?: string;
                /**
                 * @description The UUID that the hook's secret must sign.
                 * @example 890e4665-4dfe-4ab1-b689-ed553bceeed0
                 */
                challengeCode?: string;
                /**
                 * @description LinkedIn's id of your application. It has no effect.
                 * @example 75sdfsdf
                 */
                applicationId?: string;
            };
            header?: never;
            path: {
                /**
                 * @description The last part of the hook's `url`.
                 * @example lph_live_2vXhQ0bJ8mTn4kRz7yWc1sLd6gPf9aUe3iOoBxVqKtM
                 */
                token: components["parameters"]["HookToken"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer to the challenge. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Environment": components["headers"]["XEnvironment"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "challengeCode": "890e4665-4dfe-4ab1-b689-ed553bceeed0",
                     *       "challengeResponse": "4e2a1d4eb0fa09e93f7dee20a8e3df69a4a2f0a4ca8a5e1d6d3e1c4d3b2a1908"
                     *     }
                     */
                    "application/json": components["schemas"]["ChallengeAnswer"];
                    /** @example 1158201444 */
                    "text/plain": string;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["ChallengeRefused"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    receiveInboundDelivery: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description With `true`, the service does everything, answers, and rolls it back. Ids in the answer do not exist.
                 * @example true
                 */
                "Dry-Run"?: components["parameters"]["DryRun"];
            };
            path: {
                /**
                 * @description The last part of the hook's `url`.
                 * @example lph_live_2vXhQ0bJ8mTn4kRz7yWc1sLd6gPf9aUe3iOoBxVqKtM
                 */
                token: components["parameters"]["HookToken"];
            };
            cookie?: never;
        };
        /**
         * @description The other system's data. A form may be in any charset that its Content-Type, or its field `_charset_`, names.
         *     Otherwise, bytes that are not UTF-8 are read as windows-1252. Files are left out; with them, a form may have 8
         *     MiB.
         *
         *     The service keeps the data for 30 days while there is space: 1 GiB for all hooks of the
         *     environment, unless the operator changes this. When space runs short, it deletes the oldest data, but not the
         *     leads. If there is no space left, it still creates leads, but does not keep their data. Data that would be
         *     `rejected` then gets a 429 with the code `inbound_storage_full`: nothing was stored, so send it again later.
         */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Ada Lovelace",
                 *       "email": "ada@example.com",
                 *       "company": "Analytical Engines"
                 *     }
                 */
                "application/json": components["schemas"]["InboundPayload"];
                /**
                 * @example {
                 *       "name": "Ada Lovelace",
                 *       "email": "ada@example.com"
                 *     }
                 */
                "application/x-www-form-urlencoded": components["schemas"]["InboundPayload"];
                /**
                 * @example {
                 *       "name": "Ada Lovelace",
                 *       "email": "ada@example.com"
                 *     }
                 */
                "multipart/form-data": components["schemas"]["InboundPayload"];
            };
        };
        responses: {
            /** @description What happened to the data. */
            202: {
                headers: {
                    "Dry-Run": components["headers"]["DryRun"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Environment": components["headers"]["XEnvironment"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InboundReceiptResponse"];
                    /** @example <!doctype html><title>Thank you</title><p>Your message has arrived.</p> */
                    "text/html": string;
                };
            };
            /** @description A browser that has sent a form goes on to the `redirect_url` of the hook. */
            303: {
                headers: {
                    /**
                     * @description The `redirect_url`.
                     * @example https://www.example.com/thanks
                     */
                    Location: string;
                    "Dry-Run": components["headers"]["DryRun"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Environment": components["headers"]["XEnvironment"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["SignatureInvalid"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["InboundTooLarge"];
            414: components["responses"]["UriTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["InboundRefused"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listInboundDeliveries: {
        parameters: {
            query: {
                /**
                 * @description The page to return. The default is 1. You can't combine it with `cursor`.
                 * @example 1
                 */
                page?: components["parameters"]["Page"];
                /**
                 * @description The number of results on a page. If you read nothing for 30 seconds, the service closes the connection.
                 * @example 20
                 */
                per_page: components["parameters"]["PerPage"];
                /**
                 * @description Continues a list where the last page ended. Send that page's `meta.next_cursor` with the same filters and the
                 *     same `sort`, but without `page`. You neither miss nor repeat a result when others insert rows. A cursor is valid
                 *     only for its list and its environment.
                 *
                 *     If results change while you read, sort by `created_at`, which never changes: you get each result once. In any
                 *     other order, a result that changes can move past the cursor, so you may miss it or get it twice. `updated_at`,
                 *     ascending, only repeats results. With `updated_from`, all pages end where the list ended on the first one.
                 * @example eyJhZnRlciI6WyIyMDI2LTExLTIwVDA5OjMwOjAwLjAwMFoiXX0
                 */
                cursor?: components["parameters"]["Cursor"];
                /**
                 * @description Deliveries with any of these statuses. Separate statuses with commas, or repeat the parameter.
                 * @example [
                 *       "rejected"
                 *     ]
                 */
                status?: components["schemas"]["InboundDeliveryStatus"][];
                /**
                 * @description Only deliveries with warnings (`true`) or without (`false`).
                 * @example true
                 */
                has_warnings?: boolean;
                /**
                 * @description Results created at this moment or later. Send an RFC 3339 instant or a date. A date includes its whole day.
                 * @example 2026-11-01
                 */
                created_from?: components["parameters"]["CreatedFrom"];
                /**
                 * @description Results created at this moment or earlier. Send an RFC 3339 instant or a date. A date includes its whole day.
                 * @example 2026-11-30
                 */
                created_to?: components["parameters"]["CreatedTo"];
            };
            header?: never;
            path: {
                /**
                 * @description The id of the inbound hook.
                 * @example hook_01m7w4n5e0fwbtrs2p7d9k4x6v
                 */
                id: components["parameters"]["InboundHookId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of deliveries. A page after the last one is empty. */
            200: {
                headers: {
                    Link: components["headers"]["Link"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Environment": components["headers"]["XEnvironment"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InboundDeliveryListResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getInboundDelivery: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` that you already have. If it is still current, the service answers 304 without a body.
                 * @example "3"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description The id of the inbound hook.
                 * @example hook_01m7w4n5e0fwbtrs2p7d9k4x6v
                 */
                id: components["parameters"]["InboundHookId"];
                /**
                 * @description The id of the delivery.
                 * @example delivery_01m7w4n5e0ea9bcm473x5b9fx3
                 */
                delivery_id: components["parameters"]["InboundDeliveryId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The delivery. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Environment": components["headers"]["XEnvironment"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InboundDeliveryDetailResponse"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    replayInboundDelivery: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Lets you safely repeat a request whose answer did not arrive. Send a new random UUID with each new request. A
                 *     repeat with the same key within 24 hours changes nothing: it gets the stored answer with `Idempotency-Replayed:
                 *     true`, if its credentials have the scopes that the answer depends on. Errors are not stored.
                 *
                 *     Each client has its own keys. A different request with the same key is a 422 with the code
                 *     `idempotency_key_reused`. When a client's answers take all their room, a new key is a 429
                 *     `idempotency_storage_full`.
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /**
                 * @description The `ETag` that you last read. If the resource has changed since, the service changes nothing and answers 412.
                 * @example "3"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
                /**
                 * @description With `true`, the service does everything, answers, and rolls it back. Ids in the answer do not exist.
                 * @example true
                 */
                "Dry-Run"?: components["parameters"]["DryRun"];
                /**
                 * @description The active user on whose behalf you act, instead of your client's own `user_id`. Histories then name the user.
                 * @example user_01m7w4n5e0eymtkc82hvhg0xb9
                 */
                "Acting-User"?: components["parameters"]["ActingUser"];
            };
            path: {
                /**
                 * @description The id of the inbound hook.
                 * @example hook_01m7w4n5e0fwbtrs2p7d9k4x6v
                 */
                id: components["parameters"]["InboundHookId"];
                /**
                 * @description The id of the delivery.
                 * @example delivery_01m7w4n5e0ea9bcm473x5b9fx3
                 */
                delivery_id: components["parameters"]["InboundDeliveryId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The delivery after the replay. It may have been rejected again. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    "Dry-Run": components["headers"]["DryRun"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Environment": components["headers"]["XEnvironment"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InboundDeliveryResponse"];
                };
            };
            204: components["responses"]["NotShown"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            412: components["responses"]["PreconditionFailed"];
            414: components["responses"]["UriTooLong"];
            422: components["responses"]["InboundReplayFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getAnalyticsSummary: {
        parameters: {
            query: {
                /**
                 * @description The first day, in `timezone`, from 1970-01-01 to 9998-12-31. The default is 29 days before `to`, but not before
                 *     1970-01-01. A period has at most 1,100 days.
                 * @example 2026-11-01
                 */
                from?: components["parameters"]["AnalyticsFrom"];
                /**
                 * @description The last day, included, in `timezone`, from 1970-01-01 to 9998-12-31. The default is today.
                 * @example 2026-11-30
                 */
                to?: components["parameters"]["AnalyticsTo"];
                /**
                 * @description The IANA timezone of the days, UTC by default. A day starts when the clocks there first show its date. With
                 *     daylight saving time, it may have 23 or 25 hours.
                 * @example Europe/Berlin
                 */
                timezone: components["parameters"]["ReportTimezone"];
                /**
                 * @description Leads from any of these sources. Separate sources with commas, or repeat the parameter.
                 * @example [
                 *       "website"
                 *     ]
                 */
                source?: components["parameters"]["SourceFilter"];
                /**
                 * @description Results assigned to this user. Use `none` for unassigned results.
                 * @example user_01m7w4n5e0eymtkc82hvhg0xb9
                 */
                assigned_user_id?: components["parameters"]["AssignedUserFilter"];
                /**
                 * @description Leads that came from this content. Use `none` for leads that came from no content.
                 * @example content_01m7w4n5e0fj29y8hnfp12qb0m
                 */
                content_id?: components["parameters"]["ContentFilter"];
                /**
                 * @description Results with any of these tags. Separate tags with commas, or repeat the parameter. You can't filter by a tag
                 *     that contains a comma.
                 * @example [
                 *       "vip"
                 *     ]
                 */
                tag?: components["parameters"]["Tag"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The summary. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Environment": components["headers"]["XEnvironment"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SummaryResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getAnalyticsFunnel: {
        parameters: {
            query: {
                /**
                 * @description The first day, in `timezone`, from 1970-01-01 to 9998-12-31. The default is 29 days before `to`, but not before
                 *     1970-01-01. A period has at most 1,100 days.
                 * @example 2026-11-01
                 */
                from?: components["parameters"]["AnalyticsFrom"];
                /**
                 * @description The last day, included, in `timezone`, from 1970-01-01 to 9998-12-31. The default is today.
                 * @example 2026-11-30
                 */
                to?: components["parameters"]["AnalyticsTo"];
                /**
                 * @description The IANA timezone of the days, UTC by default. A day starts when the clocks there first show its date. With
                 *     daylight saving time, it may have 23 or 25 hours.
                 * @example Europe/Berlin
                 */
                timezone: components["parameters"]["ReportTimezone"];
                /**
                 * @description Leads from any of these sources. Separate sources with commas, or repeat the parameter.
                 * @example [
                 *       "website"
                 *     ]
                 */
                source?: components["parameters"]["SourceFilter"];
                /**
                 * @description Results assigned to this user. Use `none` for unassigned results.
                 * @example user_01m7w4n5e0eymtkc82hvhg0xb9
                 */
                assigned_user_id?: components["parameters"]["AssignedUserFilter"];
                /**
                 * @description Leads that came from this content. Use `none` for leads that came from no content.
                 * @example content_01m7w4n5e0fj29y8hnfp12qb0m
                 */
                content_id?: components["parameters"]["ContentFilter"];
                /**
                 * @description Results with any of these tags. Separate tags with commas, or repeat the parameter. You can't filter by a tag
                 *     that contains a comma.
                 * @example [
                 *       "vip"
                 *     ]
                 */
                tag?: components["parameters"]["Tag"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The four stages. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Environment": components["headers"]["XEnvironment"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FunnelResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getAnalyticsSources: {
        parameters: {
            query: {
                /**
                 * @description The first day, in `timezone`, from 1970-01-01 to 9998-12-31. The default is 29 days before `to`, but not before
                 *     1970-01-01. A period has at most 1,100 days.
                 * @example 2026-11-01
                 */
                from?: components["parameters"]["AnalyticsFrom"];
                /**
                 * @description The last day, included, in `timezone`, from 1970-01-01 to 9998-12-31. The default is today.
                 * @example 2026-11-30
                 */
                to?: components["parameters"]["AnalyticsTo"];
                /**
                 * @description The IANA timezone of the days, UTC by default. A day starts when the clocks there first show its date. With
                 *     daylight saving time, it may have 23 or 25 hours.
                 * @example Europe/Berlin
                 */
                timezone: components["parameters"]["ReportTimezone"];
                /**
                 * @description Leads from any of these sources. Separate sources with commas, or repeat the parameter.
                 * @example [
                 *       "website"
                 *     ]
                 */
                source?: components["parameters"]["SourceFilter"];
                /**
                 * @description Results assigned to this user. Use `none` for unassigned results.
                 * @example user_01m7w4n5e0eymtkc82hvhg0xb9
                 */
                assigned_user_id?: components["parameters"]["AssignedUserFilter"];
                /**
                 * @description Leads that came from this content. Use `none` for leads that came from no content.
                 * @example content_01m7w4n5e0fj29y8hnfp12qb0m
                 */
                content_id?: components["parameters"]["ContentFilter"];
                /**
                 * @description Results with any of these tags. Separate tags with commas, or repeat the parameter. You can't filter by a tag
                 *     that contains a comma.
                 * @example [
                 *       "vip"
                 *     ]
                 */
                tag?: components["parameters"]["Tag"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One row for each source. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Environment": components["headers"]["XEnvironment"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SourcesResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getAnalyticsTimeseries: {
        parameters: {
            query: {
                /**
                 * @description The first day, in `timezone`, from 1970-01-01 to 9998-12-31. The default is 29 days before `to`, but not before
                 *     1970-01-01. A period has at most 1,100 days.
                 * @example 2026-11-01
                 */
                from?: components["parameters"]["AnalyticsFrom"];
                /**
                 * @description The last day, included, in `timezone`, from 1970-01-01 to 9998-12-31. The default is today.
                 * @example 2026-11-30
                 */
                to?: components["parameters"]["AnalyticsTo"];
                /**
                 * @description The IANA timezone of the days, UTC by default. A day starts when the clocks there first show its date. With
                 *     daylight saving time, it may have 23 or 25 hours.
                 * @example Europe/Berlin
                 */
                timezone: components["parameters"]["ReportTimezone"];
                /**
                 * @description Leads from any of these sources. Separate sources with commas, or repeat the parameter.
                 * @example [
                 *       "website"
                 *     ]
                 */
                source?: components["parameters"]["SourceFilter"];
                /**
                 * @description Results assigned to this user. Use `none` for unassigned results.
                 * @example user_01m7w4n5e0eymtkc82hvhg0xb9
                 */
                assigned_user_id?: components["parameters"]["AssignedUserFilter"];
                /**
                 * @description Leads that came from this content. Use `none` for leads that came from no content.
                 * @example content_01m7w4n5e0fj29y8hnfp12qb0m
                 */
                content_id?: components["parameters"]["ContentFilter"];
                /**
                 * @description Results with any of these tags. Separate tags with commas, or repeat the parameter. You can't filter by a tag
                 *     that contains a comma.
                 * @example [
                 *       "vip"
                 *     ]
                 */
                tag?: components["parameters"]["Tag"];
                /**
                 * @description The length of a period.
                 * @example week
                 */
                interval: "day" | "week" | "month";
                /**
                 * @description How to group the leads of a period. `assigned_user` makes a group for each user who has leads in the period
                 *     of the report, and `none` for leads without a user.
                 * @example source
                 */
                group_by: "none" | "source" | "status" | "assigned_user";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One row for each period and group. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Environment": components["headers"]["XEnvironment"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TimeseriesResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getAnalyticsTimeInStatus: {
        parameters: {
            query: {
                /**
                 * @description The first day, in `timezone`, from 1970-01-01 to 9998-12-31. The default is 29 days before `to`, but not before
                 *     1970-01-01. A period has at most 1,100 days.
                 * @example 2026-11-01
                 */
                from?: components["parameters"]["AnalyticsFrom"];
                /**
                 * @description The last day, included, in `timezone`, from 1970-01-01 to 9998-12-31. The default is today.
                 * @example 2026-11-30
                 */
                to?: components["parameters"]["AnalyticsTo"];
                /**
                 * @description The IANA timezone of the days, UTC by default. A day starts when the clocks there first show its date. With
                 *     daylight saving time, it may have 23 or 25 hours.
                 * @example Europe/Berlin
                 */
                timezone: components["parameters"]["ReportTimezone"];
                /**
                 * @description Leads from any of these sources. Separate sources with commas, or repeat the parameter.
                 * @example [
                 *       "website"
                 *     ]
                 */
                source?: components["parameters"]["SourceFilter"];
                /**
                 * @description Results assigned to this user. Use `none` for unassigned results.
                 * @example user_01m7w4n5e0eymtkc82hvhg0xb9
                 */
                assigned_user_id?: components["parameters"]["AssignedUserFilter"];
                /**
                 * @description Leads that came from this content. Use `none` for leads that came from no content.
                 * @example content_01m7w4n5e0fj29y8hnfp12qb0m
                 */
                content_id?: components["parameters"]["ContentFilter"];
                /**
                 * @description Results with any of these tags. Separate tags with commas, or repeat the parameter. You can't filter by a tag
                 *     that contains a comma.
                 * @example [
                 *       "vip"
                 *     ]
                 */
                tag?: components["parameters"]["Tag"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One row for each status. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Environment": components["headers"]["XEnvironment"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TimeInStatusResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getAnalyticsPipeline: {
        parameters: {
            query: {
                /**
                 * @description The first day, in `timezone`, from 1970-01-01 to 9998-12-31. The default is 29 days before `to`, but not before
                 *     1970-01-01. A period has at most 1,100 days.
                 * @example 2026-11-01
                 */
                from?: components["parameters"]["AnalyticsFrom"];
                /**
                 * @description The last day, included, in `timezone`, from 1970-01-01 to 9998-12-31. The default is today.
                 * @example 2026-11-30
                 */
                to?: components["parameters"]["AnalyticsTo"];
                /**
                 * @description The IANA timezone of the days, UTC by default. A day starts when the clocks there first show its date. With
                 *     daylight saving time, it may have 23 or 25 hours.
                 * @example Europe/Berlin
                 */
                timezone: components["parameters"]["ReportTimezone"];
                /**
                 * @description Finds results that contain all of these words. Each word also matches the beginning of a longer word. Case and
                 *     accents don't matter. A search can have at most ten words. Repeated words and beginnings of other words don't
                 *     count. The operation's description names the fields. A request with `search` counts in the rate-limit class
                 *     `search`.
                 * @example ada acme
                 */
                search?: components["parameters"]["Search"];
                /**
                 * @description Leads from any of these sources. Separate sources with commas, or repeat the parameter.
                 * @example [
                 *       "website"
                 *     ]
                 */
                source?: components["parameters"]["SourceFilter"];
                /**
                 * @description Leads with exactly this `source_detail`. Use `none` for leads without one.
                 * @example Trade show Berlin
                 */
                source_detail?: components["parameters"]["SourceDetailFilter"];
                /**
                 * @description Results assigned to this user. Use `none` for unassigned results.
                 * @example user_01m7w4n5e0eymtkc82hvhg0xb9
                 */
                assigned_user_id?: components["parameters"]["AssignedUserFilter"];
                /**
                 * @description Leads that came from this content. Use `none` for leads that came from no content.
                 * @example content_01m7w4n5e0fj29y8hnfp12qb0m
                 */
                content_id?: components["parameters"]["ContentFilter"];
                /**
                 * @description Results with any of these tags. Separate tags with commas, or repeat the parameter. You can't filter by a tag
                 *     that contains a comma.
                 * @example [
                 *       "vip"
                 *     ]
                 */
                tag?: components["parameters"]["Tag"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One row for each status and currency. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Environment": components["headers"]["XEnvironment"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PipelineResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getAnalyticsForecast: {
        parameters: {
            query: {
                /**
                 * @description How many months have a separate row, including the current one.
                 * @example 3
                 */
                months: number;
                /**
                 * @description The IANA timezone of the days, UTC by default. A day starts when the clocks there first show its date. With
                 *     daylight saving time, it may have 23 or 25 hours.
                 * @example Europe/Berlin
                 */
                timezone: components["parameters"]["ReportTimezone"];
                /**
                 * @description Finds results that contain all of these words. Each word also matches the beginning of a longer word. Case and
                 *     accents don't matter. A search can have at most ten words. Repeated words and beginnings of other words don't
                 *     count. The operation's description names the fields. A request with `search` counts in the rate-limit class
                 *     `search`.
                 * @example ada acme
                 */
                search?: components["parameters"]["Search"];
                /**
                 * @description Leads from any of these sources. Separate sources with commas, or repeat the parameter.
                 * @example [
                 *       "website"
                 *     ]
                 */
                source?: components["parameters"]["SourceFilter"];
                /**
                 * @description Leads with exactly this `source_detail`. Use `none` for leads without one.
                 * @example Trade show Berlin
                 */
                source_detail?: components["parameters"]["SourceDetailFilter"];
                /**
                 * @description Results assigned to this user. Use `none` for unassigned results.
                 * @example user_01m7w4n5e0eymtkc82hvhg0xb9
                 */
                assigned_user_id?: components["parameters"]["AssignedUserFilter"];
                /**
                 * @description Leads that came from this content. Use `none` for leads that came from no content.
                 * @example content_01m7w4n5e0fj29y8hnfp12qb0m
                 */
                content_id?: components["parameters"]["ContentFilter"];
                /**
                 * @description Results with any of these tags. Separate tags with commas, or repeat the parameter. You can't filter by a tag
                 *     that contains a comma.
                 * @example [
                 *       "vip"
                 *     ]
                 */
                tag?: components["parameters"]["Tag"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The win rates, and a row for each period and currency. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Environment": components["headers"]["XEnvironment"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ForecastResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getAnalyticsContent: {
        parameters: {
            query: {
                /**
                 * @description The first day, in `timezone`, from 1970-01-01 to 9998-12-31. The default is 29 days before `to`, but not before
                 *     1970-01-01. A period has at most 1,100 days.
                 * @example 2026-11-01
                 */
                from?: components["parameters"]["AnalyticsFrom"];
                /**
                 * @description The last day, included, in `timezone`, from 1970-01-01 to 9998-12-31. The default is today.
                 * @example 2026-11-30
                 */
                to?: components["parameters"]["AnalyticsTo"];
                /**
                 * @description The IANA timezone of the days, UTC by default. A day starts when the clocks there first show its date. With
                 *     daylight saving time, it may have 23 or 25 hours.
                 * @example Europe/Berlin
                 */
                timezone: components["parameters"]["ReportTimezone"];
                /**
                 * @description Leads from any of these sources. Separate sources with commas, or repeat the parameter.
                 * @example [
                 *       "website"
                 *     ]
                 */
                source?: components["parameters"]["SourceFilter"];
                /**
                 * @description Results assigned to this user. Use `none` for unassigned results.
                 * @example user_01m7w4n5e0eymtkc82hvhg0xb9
                 */
                assigned_user_id?: components["parameters"]["AssignedUserFilter"];
                /**
                 * @description Leads that came from this content. Use `none` for leads that came from no content.
                 * @example content_01m7w4n5e0fj29y8hnfp12qb0m
                 */
                content_id?: components["parameters"]["ContentFilter"];
                /**
                 * @description Results with any of these tags. Separate tags with commas, or repeat the parameter. You can't filter by a tag
                 *     that contains a comma.
                 * @example [
                 *       "vip"
                 *     ]
                 */
                tag?: components["parameters"]["Tag"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One row for each piece of content. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Environment": components["headers"]["XEnvironment"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContentPerformanceResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getAnalyticsUsers: {
        parameters: {
            query: {
                /**
                 * @description The first day, in `timezone`, from 1970-01-01 to 9998-12-31. The default is 29 days before `to`, but not before
                 *     1970-01-01. A period has at most 1,100 days.
                 * @example 2026-11-01
                 */
                from?: components["parameters"]["AnalyticsFrom"];
                /**
                 * @description The last day, included, in `timezone`, from 1970-01-01 to 9998-12-31. The default is today.
                 * @example 2026-11-30
                 */
                to?: components["parameters"]["AnalyticsTo"];
                /**
                 * @description The IANA timezone of the days, UTC by default. A day starts when the clocks there first show its date. With
                 *     daylight saving time, it may have 23 or 25 hours.
                 * @example Europe/Berlin
                 */
                timezone: components["parameters"]["ReportTimezone"];
                /**
                 * @description Leads from any of these sources. Separate sources with commas, or repeat the parameter.
                 * @example [
                 *       "website"
                 *     ]
                 */
                source?: components["parameters"]["SourceFilter"];
                /**
                 * @description Results assigned to this user. Use `none` for unassigned results.
                 * @example user_01m7w4n5e0eymtkc82hvhg0xb9
                 */
                assigned_user_id?: components["parameters"]["AssignedUserFilter"];
                /**
                 * @description Leads that came from this content. Use `none` for leads that came from no content.
                 * @example content_01m7w4n5e0fj29y8hnfp12qb0m
                 */
                content_id?: components["parameters"]["ContentFilter"];
                /**
                 * @description Results with any of these tags. Separate tags with commas, or repeat the parameter. You can't filter by a tag
                 *     that contains a comma.
                 * @example [
                 *       "vip"
                 *     ]
                 */
                tag?: components["parameters"]["Tag"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One row for each user. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Environment": components["headers"]["XEnvironment"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserPerformanceResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listImports: {
        parameters: {
            query: {
                /**
                 * @description The page to return. The default is 1. You can't combine it with `cursor`.
                 * @example 1
                 */
                page?: components["parameters"]["Page"];
                /**
                 * @description The number of results on a page. If you read nothing for 30 seconds, the service closes the connection.
                 * @example 20
                 */
                per_page: components["parameters"]["PerPage"];
                /**
                 * @description Continues a list where the last page ended. Send that page's `meta.next_cursor` with the same filters and the
                 *     same `sort`, but without `page`. You neither miss nor repeat a result when others insert rows. A cursor is valid
                 *     only for its list and its environment.
                 *
                 *     If results change while you read, sort by `created_at`, which never changes: you get each result once. In any
                 *     other order, a result that changes can move past the cursor, so you may miss it or get it twice. `updated_at`,
                 *     ascending, only repeats results. With `updated_from`, all pages end where the list ended on the first one.
                 * @example eyJhZnRlciI6WyIyMDI2LTExLTIwVDA5OjMwOjAwLjAwMFoiXX0
                 */
                cursor?: components["parameters"]["Cursor"];
                /**
                 * @description Imports with any of these statuses. Separate statuses with commas, or repeat the parameter.
                 * @example [
                 *       "running"
                 *     ]
                 */
                status?: components["schemas"]["ImportStatus"][];
                /**
                 * @description Imports of this resource.
                 * @example leads
                 */
                resource?: components["schemas"]["ImportResource"];
                /**
                 * @description Results created at this moment or later. Send an RFC 3339 instant or a date. A date includes its whole day.
                 * @example 2026-11-01
                 */
                created_from?: components["parameters"]["CreatedFrom"];
                /**
                 * @description Results created at this moment or earlier. Send an RFC 3339 instant or a date. A date includes its whole day.
                 * @example 2026-11-30
                 */
                created_to?: components["parameters"]["CreatedTo"];
                /**
                 * @description The field to sort by. A leading `-` means descending.
                 * @example created_at
                 */
                sort: components["schemas"]["ImportOrder"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list. A page after the last one is empty. */
            200: {
                headers: {
                    Link: components["headers"]["Link"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Environment": components["headers"]["XEnvironment"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ImportListResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createImport: {
        parameters: {
            query: {
                /**
                 * @description The resource of the rows. With a file, you must send it.
                 * @example leads
                 */
                resource?: components["schemas"]["ImportResource"];
                /**
                 * @description The field that matches a row with an existing lead, contact or user. Content is always matched by `slug`,
                 *     and notes by `external_id`.
                 * @example email
                 */
                match: "email" | "external_id" | "slug";
                /**
                 * @description What happens to a row that matches an existing lead or contact. `reject`: the row fails. `ignore`: the
                 *     existing one stays as it is. `merge`: the row fills its empty fields and adds tags and metadata, but
                 *     overwrites no value. `update`: the row changes its fields, like `PATCH`.
                 * @example merge
                 */
                on_duplicate: "merge" | "update" | "ignore" | "reject";
                /**
                 * @description With `try`, the import is a dry run: the service processes every row, counts the results, keeps the errors,
                 *     and rolls everything back. Then you can start it with `POST /imports/{id}/start`. A dry run compares the
                 *     rows of the file with each other, but does not combine the changes of several rows to the same lead or
                 *     contact.
                 * @example try
                 */
                mode: components["schemas"]["ImportMode"];
                /**
                 * @description `true` is the same as `mode=try`.
                 * @example true
                 */
                dry_run: boolean;
                /**
                 * @description Whether users whom rows name by `assigned_user_email` or `author_user_email`, and who don't exist, are created
                 *     as inactive users. Inactive users are also found then. If not, such rows are imported without a user, with a
                 *     warning. `true` needs the scope `users:write` or `admin`.
                 * @example true
                 */
                create_users: boolean;
                /**
                 * @description Whether the import starts immediately. If not, nothing is imported yet: the answer is a draft that shows the
                 *     columns and their mapping. Start it with `POST /imports/{id}/start`. If you leave it out, the import starts
                 *     unless it has `doubts`. A dry run starts in any case.
                 * @example true
                 */
                start?: boolean;
                /**
                 * @description The language and region of dates and amounts in the file (BCP 47). With `de`, `1.250,00` is 1250, and
                 *     `31.01.2027` is a date.
                 * @example de-DE
                 */
                locale?: string;
                /**
                 * @description The country of phone numbers without a country code (ISO 3166-1 alpha-2). Without it, such numbers are left
                 *     out with a warning, unless the operator has set a country.
                 * @example DE
                 */
                default_country?: string;
                /**
                 * @description The encoding of the file, such as `windows-1252`. Without it, the service recognizes the usual ones.
                 * @example windows-1252
                 */
                charset?: string;
                /**
                 * @description The name of the workbook's sheet. Without it, the first sheet is imported.
                 * @example Leads
                 */
                sheet?: string;
                /**
                 * @description The field of a column, as in `mapping[Company name]=company`. An empty text ignores the column. For columns
                 *     that you leave out, the service proposes a field, by their names and cells together. Of several columns with
                 *     the same field, the first that is filled counts; all `tags` count, and those of `name` are joined.
                 * @example {
                 *       "E-mail": "email"
                 *     }
                 */
                mapping?: {
                    [key: string]: string;
                };
                /**
                 * @description The value of a field for rows without one, as in `defaults[source]=referral` or
                 *     `defaults[metadata.plan]=gold`.
                 * @example {
                 *       "source": "referral"
                 *     }
                 */
                defaults?: {
                    [key: string]: string;
                };
            };
            header?: {
                /**
                 * @description Lets you safely repeat a request whose answer did not arrive. Send a new random UUID with each new request. A
                 *     repeat with the same key within 24 hours changes nothing: it gets the stored answer with `Idempotency-Replayed:
                 *     true`, if its credentials have the scopes that the answer depends on. Errors are not stored.
                 *
                 *     Each client has its own keys. A different request with the same key is a 422 with the code
                 *     `idempotency_key_reused`. When a client's answers take all their room, a new key is a 429
                 *     `idempotency_storage_full`.
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /**
                 * @description With `true`, the service does everything, answers, and rolls it back. Ids in the answer do not exist.
                 * @example true
                 */
                "Dry-Run"?: components["parameters"]["DryRun"];
                /**
                 * @description The active user on whose behalf you act, instead of your client's own `user_id`. Histories then name the user.
                 * @example user_01m7w4n5e0eymtkc82hvhg0xb9
                 */
                "Acting-User"?: components["parameters"]["ActingUser"];
            };
            path?: never;
            cookie?: never;
        };
        /**
         * @description The options as JSON, or the file. It has up to 200 MiB and 1,000,000 rows (2,000,000 with empty ones): CSV,
         *     NDJSON, an Excel workbook or vCards, also compressed as `.gz` or with `Content-Encoding: gzip`, or a text alone
         *     in a ZIP file. The service recognizes the format by the content. The `Content-Type` only decides whether a
         *     text is CSV or NDJSON.
         *
         *     A row that can't be read fails alone. The answer is a 422 `invalid_file` only if no row can be read.
         *
         *     An empty cell or null leaves a field as it is. Separate `tags` by commas or semicolons, or write a JSON list.
         *     `metadata` and `value` are JSON objects. You can import a file of `GET /leads/export` or
         *     `GET /contacts/export`: the service removes the `'` before values that look like formulas, and ignores
         *     read-only columns.
         *
         *     The service keeps the rows of drafts, dry runs and queued imports. They may take 1 GiB for each client, and 4
         *     GiB for all clients together, unless the operator changes this. If there is no space left, the answer is a 429
         *     with the code `import_storage_full`. Start imports, or cancel those that you no longer need.
         */
        requestBody: {
            content: {
                /**
                 * @example Full name,E-mail,Phone number,Tags
                 *     Ada Lovelace,ada@example.com,+49 151 1234 5678,"vip, newsletter"
                 *     Grace Hopper,grace@example.com,,
                 */
                "text/csv": string;
                /**
                 * @example {"name": "Ada Lovelace", "email": "ada@example.com", "tags": ["vip", "newsletter"]}
                 *     {"name": "Grace Hopper", "email": "grace@example.com"}
                 */
                "application/x-ndjson": string;
                /** @example (the bytes of the file) */
                "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                /**
                 * @example BEGIN:VCARD
                 *     VERSION:4.0
                 *     FN:Ada Lovelace
                 *     EMAIL:ada@example.com
                 *     END:VCARD
                 */
                "text/vcard": string;
                /** @example (the bytes of the file) */
                "application/gzip": string;
                /** @example (the bytes of the file) */
                "application/octet-stream": string;
                /**
                 * @example {
                 *       "resource": "leads",
                 *       "start": false,
                 *       "mapping": {
                 *         "Phone number": "phone"
                 *       },
                 *       "values": {
                 *         "source": {
                 *           "Trade show": {
                 *             "source": "referral",
                 *             "source_detail": "Trade show"
                 *           }
                 *         }
                 *       },
                 *       "locale": "de-DE",
                 *       "default_country": "DE",
                 *       "on_duplicate": "merge"
                 *     }
                 */
                "application/json": components["schemas"]["CreateImport"];
            };
        };
        responses: {
            /** @description The import, either queued or a draft. */
            202: {
                headers: {
                    Location: components["headers"]["Location"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    "Dry-Run": components["headers"]["DryRun"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Environment": components["headers"]["XEnvironment"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ImportResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["FileTooLarge"];
            414: components["responses"]["UriTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidFile"];
            429: components["responses"]["NoRoom"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getImport: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` that you already have. If it is still current, the service answers 304 without a body.
                 * @example "3"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description The id of the import.
                 * @example import_01m7w4n5e0fpd8q2tn6s3k9vcx
                 */
                id: components["parameters"]["ImportId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The import. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Environment": components["headers"]["XEnvironment"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ImportResponse"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    putImportFile: {
        parameters: {
            query?: {
                /**
                 * @description The encoding of the file. It replaces the one in the draft's options.
                 * @example windows-1252
                 */
                charset?: string;
                /**
                 * @description The name of the workbook's sheet. It replaces the one in the draft's options.
                 * @example Leads
                 */
                sheet?: string;
            };
            header?: {
                /**
                 * @description With `true`, the service does everything, answers, and rolls it back. Ids in the answer do not exist.
                 * @example true
                 */
                "Dry-Run"?: components["parameters"]["DryRun"];
                /**
                 * @description The active user on whose behalf you act, instead of your client's own `user_id`. Histories then name the user.
                 * @example user_01m7w4n5e0eymtkc82hvhg0xb9
                 */
                "Acting-User"?: components["parameters"]["ActingUser"];
            };
            path: {
                /**
                 * @description The id of the import.
                 * @example import_01m7w4n5e0fpd8q2tn6s3k9vcx
                 */
                id: components["parameters"]["ImportId"];
            };
            cookie?: never;
        };
        /** @description The file, as in `POST /imports`. */
        requestBody: {
            content: {
                /**
                 * @example Full name,E-mail,Phone number,Tags
                 *     Ada Lovelace,ada@example.com,+49 151 1234 5678,"vip, newsletter"
                 *     Grace Hopper,grace@example.com,,
                 */
                "text/csv": string;
                /**
                 * @example {"name": "Ada Lovelace", "email": "ada@example.com", "tags": ["vip", "newsletter"]}
                 *     {"name": "Grace Hopper", "email": "grace@example.com"}
                 */
                "application/x-ndjson": string;
                /** @example (the bytes of the file) */
                "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                /**
                 * @example BEGIN:VCARD
                 *     VERSION:4.0
                 *     FN:Ada Lovelace
                 *     EMAIL:ada@example.com
                 *     END:VCARD
                 */
                "text/vcard": string;
                /** @example (the bytes of the file) */
                "application/gzip": string;
                /** @example (the bytes of the file) */
                "application/octet-stream": string;
            };
        };
        responses: {
            /** @description The import, either queued or a draft. */
            202: {
                headers: {
                    "Dry-Run": components["headers"]["DryRun"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Environment": components["headers"]["XEnvironment"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ImportResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["FileTooLarge"];
            414: components["responses"]["UriTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidFile"];
            429: components["responses"]["NoRoom"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listImportErrors: {
        parameters: {
            query: {
                /**
                 * @description The page to return. The default is 1. You can't combine it with `cursor`.
                 * @example 1
                 */
                page?: components["parameters"]["Page"];
                /**
                 * @description The number of results on a page. If you read nothing for 30 seconds, the service closes the connection.
                 * @example 20
                 */
                per_page: components["parameters"]["PerPage"];
                /**
                 * @description Continues a list where the last page ended. Send that page's `meta.next_cursor` with the same filters and the
                 *     same `sort`, but without `page`. You neither miss nor repeat a result when others insert rows. A cursor is valid
                 *     only for its list and its environment.
                 *
                 *     If results change while you read, sort by `created_at`, which never changes: you get each result once. In any
                 *     other order, a result that changes can move past the cursor, so you may miss it or get it twice. `updated_at`,
                 *     ascending, only repeats results. With `updated_from`, all pages end where the list ended on the first one.
                 * @example eyJhZnRlciI6WyIyMDI2LTExLTIwVDA5OjMwOjAwLjAwMFoiXX0
                 */
                cursor?: components["parameters"]["Cursor"];
                /**
                 * @description Only errors, or only warnings.
                 * @example error
                 */
                severity?: components["schemas"]["ImportSeverity"];
                /**
                 * @description The order. A leading `-` means descending.
                 * @example row
                 */
                sort: components["schemas"]["ImportErrorOrder"];
            };
            header?: never;
            path: {
                /**
                 * @description The id of the import.
                 * @example import_01m7w4n5e0fpd8q2tn6s3k9vcx
                 */
                id: components["parameters"]["ImportId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the errors, or all errors. A page after the last one is empty. */
            200: {
                headers: {
                    Link: components["headers"]["LinkOfPage"];
                    "Cache-Control": components["headers"]["NoStore"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Environment": components["headers"]["XEnvironment"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ImportErrorListResponse"];
                    /**
                     * @example row,severity,column,field,code,message
                     *     17,error,E-mail,email,validation_failed,must be an email address such as ada@example.com
                     */
                    "text/csv": string;
                    "application/x-ndjson": components["schemas"]["ImportError"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["ErrorsNotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listImportRows: {
        parameters: {
            query: {
                /**
                 * @description The page to return. The default is 1. You can't combine it with `cursor`.
                 * @example 1
                 */
                page?: components["parameters"]["Page"];
                /**
                 * @description The number of results on a page. If you read nothing for 30 seconds, the service closes the connection.
                 * @example 20
                 */
                per_page: components["parameters"]["PerPage"];
                /**
                 * @description Continues a list where the last page ended. Send that page's `meta.next_cursor` with the same filters and the
                 *     same `sort`, but without `page`. You neither miss nor repeat a result when others insert rows. A cursor is valid
                 *     only for its list and its environment.
                 *
                 *     If results change while you read, sort by `created_at`, which never changes: you get each result once. In any
                 *     other order, a result that changes can move past the cursor, so you may miss it or get it twice. `updated_at`,
                 *     ascending, only repeats results. With `updated_from`, all pages end where the list ended on the first one.
                 * @example eyJhZnRlciI6WyIyMDI2LTExLTIwVDA5OjMwOjAwLjAwMFoiXX0
                 */
                cursor?: components["parameters"]["Cursor"];
                /**
                 * @description Rows with this outcome.
                 * @example failed
                 */
                outcome?: components["schemas"]["ImportOutcome"];
                /**
                 * @description The order. A leading `-` means descending.
                 * @example row
                 */
                sort: components["schemas"]["ImportRowOrder"];
            };
            header?: never;
            path: {
                /**
                 * @description The id of the import.
                 * @example import_01m7w4n5e0fpd8q2tn6s3k9vcx
                 */
                id: components["parameters"]["ImportId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the rows, or all rows. A page after the last one is empty. */
            200: {
                headers: {
                    Link: components["headers"]["LinkOfPage"];
                    "Cache-Control": components["headers"]["NoStore"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Environment": components["headers"]["XEnvironment"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ImportRowListResponse"];
                    /**
                     * @example row,outcome,id
                     *     2,created,lead_01m7w4n5e0e3tajy9kep34bze2
                     *     17,failed,
                     */
                    "text/csv": string;
                    "application/x-ndjson": components["schemas"]["ImportRow"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["ErrorsNotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    exportRejectedRows: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the import.
                 * @example import_01m7w4n5e0fpd8q2tn6s3k9vcx
                 */
                id: components["parameters"]["ImportId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The rejected rows. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["NoStore"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Environment": components["headers"]["XEnvironment"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example Full name,E-mail,Phone number,Tags,error
                     *     Grace Hopper,grace.example.com,,,E-mail: must be an email address such as ada@example.com
                     */
                    "text/csv": string;
                    "application/x-ndjson": components["schemas"]["RejectedRow"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["ExportNotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    startImport: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Lets you safely repeat a request whose answer did not arrive. Send a new random UUID with each new request. A
                 *     repeat with the same key within 24 hours changes nothing: it gets the stored answer with `Idempotency-Replayed:
                 *     true`, if its credentials have the scopes that the answer depends on. Errors are not stored.
                 *
                 *     Each client has its own keys. A different request with the same key is a 422 with the code
                 *     `idempotency_key_reused`. When a client's answers take all their room, a new key is a 429
                 *     `idempotency_storage_full`.
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /**
                 * @description With `true`, the service does everything, answers, and rolls it back. Ids in the answer do not exist.
                 * @example true
                 */
                "Dry-Run"?: components["parameters"]["DryRun"];
                /**
                 * @description The active user on whose behalf you act, instead of your client's own `user_id`. Histories then name the user.
                 * @example user_01m7w4n5e0eymtkc82hvhg0xb9
                 */
                "Acting-User"?: components["parameters"]["ActingUser"];
            };
            path: {
                /**
                 * @description The id of the import.
                 * @example import_01m7w4n5e0fpd8q2tn6s3k9vcx
                 */
                id: components["parameters"]["ImportId"];
            };
            cookie?: never;
        };
        /** @description How to import. */
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "mapping": {
                 *         "Full name": "name"
                 *       },
                 *       "on_duplicate": "merge"
                 *     }
                 */
                "application/json": components["schemas"]["StartImport"];
            };
        };
        responses: {
            /** @description The queued import. */
            202: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    "Dry-Run": components["headers"]["DryRun"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Environment": components["headers"]["XEnvironment"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ImportResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["UriTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    cancelImport: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Lets you safely repeat a request whose answer did not arrive. Send a new random UUID with each new request. A
                 *     repeat with the same key within 24 hours changes nothing: it gets the stored answer with `Idempotency-Replayed:
                 *     true`, if its credentials have the scopes that the answer depends on. Errors are not stored.
                 *
                 *     Each client has its own keys. A different request with the same key is a 422 with the code
                 *     `idempotency_key_reused`. When a client's answers take all their room, a new key is a 429
                 *     `idempotency_storage_full`.
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /**
                 * @description The `ETag` that you last read. If the resource has changed since, the service changes nothing and answers 412.
                 * @example "3"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
                /**
                 * @description With `true`, the service does everything, answers, and rolls it back. Ids in the answer do not exist.
                 * @example true
                 */
                "Dry-Run"?: components["parameters"]["DryRun"];
                /**
                 * @description The active user on whose behalf you act, instead of your client's own `user_id`. Histories then name the user.
                 * @example user_01m7w4n5e0eymtkc82hvhg0xb9
                 */
                "Acting-User"?: components["parameters"]["ActingUser"];
            };
            path: {
                /**
                 * @description The id of the import.
                 * @example import_01m7w4n5e0fpd8q2tn6s3k9vcx
                 */
                id: components["parameters"]["ImportId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The cancelled import. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    "Dry-Run": components["headers"]["DryRun"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Environment": components["headers"]["XEnvironment"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ImportResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            412: components["responses"]["PreconditionFailed"];
            414: components["responses"]["UriTooLong"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listClients: {
        parameters: {
            query: {
                /**
                 * @description The page to return. The default is 1. You can't combine it with `cursor`.
                 * @example 1
                 */
                page?: components["parameters"]["Page"];
                /**
                 * @description The number of results on a page. If you read nothing for 30 seconds, the service closes the connection.
                 * @example 20
                 */
                per_page: components["parameters"]["PerPage"];
                /**
                 * @description Continues a list where the last page ended. Send that page's `meta.next_cursor` with the same filters and the
                 *     same `sort`, but without `page`. You neither miss nor repeat a result when others insert rows. A cursor is valid
                 *     only for its list and its environment.
                 *
                 *     If results change while you read, sort by `created_at`, which never changes: you get each result once. In any
                 *     other order, a result that changes can move past the cursor, so you may miss it or get it twice. `updated_at`,
                 *     ascending, only repeats results. With `updated_from`, all pages end where the list ended on the first one.
                 * @example eyJhZnRlciI6WyIyMDI2LTExLTIwVDA5OjMwOjAwLjAwMFoiXX0
                 */
                cursor?: components["parameters"]["Cursor"];
                /**
                 * @description `enabled` or `disabled` clients only.
                 * @example enabled
                 */
                status?: components["schemas"]["ClientStatus"];
                /**
                 * @description Results created at this moment or later. Send an RFC 3339 instant or a date. A date includes its whole day.
                 * @example 2026-11-01
                 */
                created_from?: components["parameters"]["CreatedFrom"];
                /**
                 * @description Results created at this moment or earlier. Send an RFC 3339 instant or a date. A date includes its whole day.
                 * @example 2026-11-30
                 */
                created_to?: components["parameters"]["CreatedTo"];
                /**
                 * @description Results last changed at this moment or later. Send an RFC 3339 instant or a date. A date includes its whole day.
                 *
                 *     With this parameter you can poll for changes. Send the greatest `updated_at` that you have seen, and
                 *     `sort=updated_at`. The list ends at the start of the oldest change that is still being saved, so that no later
                 *     request finds a change before those that you have seen.
                 * @example 2026-11-20T09:30:00.000Z
                 */
                updated_from?: components["parameters"]["UpdatedFrom"];
                /**
                 * @description Results last changed at this moment or earlier. Send an RFC 3339 instant or a date. A date includes its whole
                 *     day.
                 * @example 2026-11-20T18:00:00+01:00
                 */
                updated_to?: components["parameters"]["UpdatedTo"];
                /**
                 * @description The field to sort by. A leading `-` means descending.
                 * @example created_at
                 */
                sort: components["schemas"]["ClientOrder"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of clients. A page after the last one is empty. */
            200: {
                headers: {
                    Link: components["headers"]["Link"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Environment": components["headers"]["XEnvironment"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ClientListResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createClient: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Lets you safely repeat a request whose answer did not arrive. Send a new random UUID with each new request. A
                 *     repeat with the same key within 24 hours changes nothing: it gets the stored answer with `Idempotency-Replayed:
                 *     true`, if its credentials have the scopes that the answer depends on. Errors are not stored.
                 *
                 *     Each client has its own keys. A different request with the same key is a 422 with the code
                 *     `idempotency_key_reused`. When a client's answers take all their room, a new key is a 429
                 *     `idempotency_storage_full`.
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /**
                 * @description With `true`, the service does everything, answers, and rolls it back. Ids in the answer do not exist.
                 * @example true
                 */
                "Dry-Run"?: components["parameters"]["DryRun"];
                /**
                 * @description The active user on whose behalf you act, instead of your client's own `user_id`. Histories then name the user.
                 * @example user_01m7w4n5e0eymtkc82hvhg0xb9
                 */
                "Acting-User"?: components["parameters"]["ActingUser"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description The new client. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateClient"];
            };
        };
        responses: {
            /** @description The client and its `client_secret`. Keep the `client_secret`. */
            201: {
                headers: {
                    Location: components["headers"]["Location"];
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["NoStore"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    "Dry-Run": components["headers"]["DryRun"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Environment": components["headers"]["XEnvironment"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ClientWithSecretResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["UriTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getClient: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` that you already have. If it is still current, the service answers 304 without a body.
                 * @example "3"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description The id of the client.
                 * @example client_01m7w4n5e0e0vbbhcpvg4zwf73
                 */
                id: components["parameters"]["ClientId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The client. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Environment": components["headers"]["XEnvironment"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ClientResponse"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    updateClient: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Lets you safely repeat a request whose answer did not arrive. Send a new random UUID with each new request. A
                 *     repeat with the same key within 24 hours changes nothing: it gets the stored answer with `Idempotency-Replayed:
                 *     true`, if its credentials have the scopes that the answer depends on. Errors are not stored.
                 *
                 *     Each client has its own keys. A different request with the same key is a 422 with the code
                 *     `idempotency_key_reused`. When a client's answers take all their room, a new key is a 429
                 *     `idempotency_storage_full`.
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /**
                 * @description The `ETag` that you last read. If the resource has changed since, the service changes nothing and answers 412.
                 * @example "3"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
                /**
                 * @description With `true`, the service does everything, answers, and rolls it back. Ids in the answer do not exist.
                 * @example true
                 */
                "Dry-Run"?: components["parameters"]["DryRun"];
                /**
                 * @description The active user on whose behalf you act, instead of your client's own `user_id`. Histories then name the user.
                 * @example user_01m7w4n5e0eymtkc82hvhg0xb9
                 */
                "Acting-User"?: components["parameters"]["ActingUser"];
            };
            path: {
                /**
                 * @description The id of the client.
                 * @example client_01m7w4n5e0e0vbbhcpvg4zwf73
                 */
                id: components["parameters"]["ClientId"];
            };
            cookie?: never;
        };
        /** @description The fields to change. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Website backend, Berlin"
                 *     }
                 */
                "application/json": components["schemas"]["UpdateClient"];
                /**
                 * @example {
                 *       "user_id": "user_01m7w4n5e0eymtkc82hvhg0xb9"
                 *     }
                 */
                "application/merge-patch+json": components["schemas"]["UpdateClient"];
            };
        };
        responses: {
            /** @description The client after the change. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    "Dry-Run": components["headers"]["DryRun"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Environment": components["headers"]["XEnvironment"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ClientResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["UriTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    rotateClientSecret: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Lets you safely repeat a request whose answer did not arrive. Send a new random UUID with each new request. A
                 *     repeat with the same key within 24 hours changes nothing: it gets the stored answer with `Idempotency-Replayed:
                 *     true`, if its credentials have the scopes that the answer depends on. Errors are not stored.
                 *
                 *     Each client has its own keys. A different request with the same key is a 422 with the code
                 *     `idempotency_key_reused`. When a client's answers take all their room, a new key is a 429
                 *     `idempotency_storage_full`.
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /**
                 * @description The `ETag` that you last read. If the resource has changed since, the service changes nothing and answers 412.
                 * @example "3"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
                /**
                 * @description With `true`, the service does everything, answers, and rolls it back. Ids in the answer do not exist.
                 * @example true
                 */
                "Dry-Run"?: components["parameters"]["DryRun"];
                /**
                 * @description The active user on whose behalf you act, instead of your client's own `user_id`. Histories then name the user.
                 * @example user_01m7w4n5e0eymtkc82hvhg0xb9
                 */
                "Acting-User"?: components["parameters"]["ActingUser"];
            };
            path: {
                /**
                 * @description The id of the client.
                 * @example client_01m7w4n5e0e0vbbhcpvg4zwf73
                 */
                id: components["parameters"]["ClientId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The client and its new `client_secret`. Keep the `client_secret`. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["NoStore"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    "Dry-Run": components["headers"]["DryRun"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Environment": components["headers"]["XEnvironment"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ClientWithSecretResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            412: components["responses"]["PreconditionFailed"];
            414: components["responses"]["UriTooLong"];
            422: components["responses"]["KeyReused"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    disableClient: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Lets you safely repeat a request whose answer did not arrive. Send a new random UUID with each new request. A
                 *     repeat with the same key within 24 hours changes nothing: it gets the stored answer with `Idempotency-Replayed:
                 *     true`, if its credentials have the scopes that the answer depends on. Errors are not stored.
                 *
                 *     Each client has its own keys. A different request with the same key is a 422 with the code
                 *     `idempotency_key_reused`. When a client's answers take all their room, a new key is a 429
                 *     `idempotency_storage_full`.
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /**
                 * @description The `ETag` that you last read. If the resource has changed since, the service changes nothing and answers 412.
                 * @example "3"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
                /**
                 * @description With `true`, the service does everything, answers, and rolls it back. Ids in the answer do not exist.
                 * @example true
                 */
                "Dry-Run"?: components["parameters"]["DryRun"];
                /**
                 * @description The active user on whose behalf you act, instead of your client's own `user_id`. Histories then name the user.
                 * @example user_01m7w4n5e0eymtkc82hvhg0xb9
                 */
                "Acting-User"?: components["parameters"]["ActingUser"];
            };
            path: {
                /**
                 * @description The id of the client.
                 * @example client_01m7w4n5e0e0vbbhcpvg4zwf73
                 */
                id: components["parameters"]["ClientId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The client, disabled. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    "Dry-Run": components["headers"]["DryRun"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Environment": components["headers"]["XEnvironment"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ClientResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["LastAdmin"];
            412: components["responses"]["PreconditionFailed"];
            414: components["responses"]["UriTooLong"];
            422: components["responses"]["KeyReused"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    enableClient: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Lets you safely repeat a request whose answer did not arrive. Send a new random UUID with each new request. A
                 *     repeat with the same key within 24 hours changes nothing: it gets the stored answer with `Idempotency-Replayed:
                 *     true`, if its credentials have the scopes that the answer depends on. Errors are not stored.
                 *
                 *     Each client has its own keys. A different request with the same key is a 422 with the code
                 *     `idempotency_key_reused`. When a client's answers take all their room, a new key is a 429
                 *     `idempotency_storage_full`.
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /**
                 * @description The `ETag` that you last read. If the resource has changed since, the service changes nothing and answers 412.
                 * @example "3"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
                /**
                 * @description With `true`, the service does everything, answers, and rolls it back. Ids in the answer do not exist.
                 * @example true
                 */
                "Dry-Run"?: components["parameters"]["DryRun"];
                /**
                 * @description The active user on whose behalf you act, instead of your client's own `user_id`. Histories then name the user.
                 * @example user_01m7w4n5e0eymtkc82hvhg0xb9
                 */
                "Acting-User"?: components["parameters"]["ActingUser"];
            };
            path: {
                /**
                 * @description The id of the client.
                 * @example client_01m7w4n5e0e0vbbhcpvg4zwf73
                 */
                id: components["parameters"]["ClientId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The client, enabled. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    "Dry-Run": components["headers"]["DryRun"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Environment": components["headers"]["XEnvironment"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ClientResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            412: components["responses"]["PreconditionFailed"];
            414: components["responses"]["UriTooLong"];
            422: components["responses"]["KeyReused"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listApiKeys: {
        parameters: {
            query: {
                /**
                 * @description The page to return. The default is 1. You can't combine it with `cursor`.
                 * @example 1
                 */
                page?: components["parameters"]["Page"];
                /**
                 * @description The number of results on a page. If you read nothing for 30 seconds, the service closes the connection.
                 * @example 20
                 */
                per_page: components["parameters"]["PerPage"];
                /**
                 * @description Continues a list where the last page ended. Send that page's `meta.next_cursor` with the same filters and the
                 *     same `sort`, but without `page`. You neither miss nor repeat a result when others insert rows. A cursor is valid
                 *     only for its list and its environment.
                 *
                 *     If results change while you read, sort by `created_at`, which never changes: you get each result once. In any
                 *     other order, a result that changes can move past the cursor, so you may miss it or get it twice. `updated_at`,
                 *     ascending, only repeats results. With `updated_from`, all pages end where the list ended on the first one.
                 * @example eyJhZnRlciI6WyIyMDI2LTExLTIwVDA5OjMwOjAwLjAwMFoiXX0
                 */
                cursor?: components["parameters"]["Cursor"];
                /**
                 * @description Results created at this moment or later. Send an RFC 3339 instant or a date. A date includes its whole day.
                 * @example 2026-11-01
                 */
                created_from?: components["parameters"]["CreatedFrom"];
                /**
                 * @description Results created at this moment or earlier. Send an RFC 3339 instant or a date. A date includes its whole day.
                 * @example 2026-11-30
                 */
                created_to?: components["parameters"]["CreatedTo"];
                /**
                 * @description Results last changed at this moment or later. Send an RFC 3339 instant or a date. A date includes its whole day.
                 *
                 *     With this parameter you can poll for changes. Send the greatest `updated_at` that you have seen, and
                 *     `sort=updated_at`. The list ends at the start of the oldest change that is still being saved, so that no later
                 *     request finds a change before those that you have seen.
                 * @example 2026-11-20T09:30:00.000Z
                 */
                updated_from?: components["parameters"]["UpdatedFrom"];
                /**
                 * @description Results last changed at this moment or earlier. Send an RFC 3339 instant or a date. A date includes its whole
                 *     day.
                 * @example 2026-11-20T18:00:00+01:00
                 */
                updated_to?: components["parameters"]["UpdatedTo"];
                /**
                 * @description The field to sort by. A leading `-` means descending.
                 * @example created_at
                 */
                sort: components["schemas"]["ApiKeyOrder"];
            };
            header?: never;
            path: {
                /**
                 * @description The id of the client.
                 * @example client_01m7w4n5e0e0vbbhcpvg4zwf73
                 */
                id: components["parameters"]["ClientId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of API keys. A page after the last one is empty. */
            200: {
                headers: {
                    Link: components["headers"]["Link"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Environment": components["headers"]["XEnvironment"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKeyListResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createApiKey: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Lets you safely repeat a request whose answer did not arrive. Send a new random UUID with each new request. A
                 *     repeat with the same key within 24 hours changes nothing: it gets the stored answer with `Idempotency-Replayed:
                 *     true`, if its credentials have the scopes that the answer depends on. Errors are not stored.
                 *
                 *     Each client has its own keys. A different request with the same key is a 422 with the code
                 *     `idempotency_key_reused`. When a client's answers take all their room, a new key is a 429
                 *     `idempotency_storage_full`.
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /**
                 * @description With `true`, the service does everything, answers, and rolls it back. Ids in the answer do not exist.
                 * @example true
                 */
                "Dry-Run"?: components["parameters"]["DryRun"];
                /**
                 * @description The active user on whose behalf you act, instead of your client's own `user_id`. Histories then name the user.
                 * @example user_01m7w4n5e0eymtkc82hvhg0xb9
                 */
                "Acting-User"?: components["parameters"]["ActingUser"];
            };
            path: {
                /**
                 * @description The id of the client.
                 * @example client_01m7w4n5e0e0vbbhcpvg4zwf73
                 */
                id: components["parameters"]["ClientId"];
            };
            cookie?: never;
        };
        /** @description The new API key. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateApiKey"];
            };
        };
        responses: {
            /** @description The API key. Keep the `api_key`. */
            201: {
                headers: {
                    Location: components["headers"]["Location"];
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["NoStore"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    "Dry-Run": components["headers"]["DryRun"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Environment": components["headers"]["XEnvironment"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKeyWithSecretResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["UriTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ApiKeyInvalid"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getApiKey: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` that you already have. If it is still current, the service answers 304 without a body.
                 * @example "3"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description The id of the client.
                 * @example client_01m7w4n5e0e0vbbhcpvg4zwf73
                 */
                id: components["parameters"]["ClientId"];
                /**
                 * @description The id of the API key. It is not the key itself.
                 * @example key_01m7w4n5e0ebj8t9xkcpqz3w5d
                 */
                key_id: components["parameters"]["ApiKeyId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The API key. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Environment": components["headers"]["XEnvironment"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKeyResponse"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    revokeApiKey: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Lets you safely repeat a request whose answer did not arrive. Send a new random UUID with each new request. A
                 *     repeat with the same key within 24 hours changes nothing: it gets the stored answer with `Idempotency-Replayed:
                 *     true`, if its credentials have the scopes that the answer depends on. Errors are not stored.
                 *
                 *     Each client has its own keys. A different request with the same key is a 422 with the code
                 *     `idempotency_key_reused`. When a client's answers take all their room, a new key is a 429
                 *     `idempotency_storage_full`.
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /**
                 * @description The `ETag` that you last read. If the resource has changed since, the service changes nothing and answers 412.
                 * @example "3"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
                /**
                 * @description With `true`, the service does everything, answers, and rolls it back. Ids in the answer do not exist.
                 * @example true
                 */
                "Dry-Run"?: components["parameters"]["DryRun"];
                /**
                 * @description The active user on whose behalf you act, instead of your client's own `user_id`. Histories then name the user.
                 * @example user_01m7w4n5e0eymtkc82hvhg0xb9
                 */
                "Acting-User"?: components["parameters"]["ActingUser"];
            };
            path: {
                /**
                 * @description The id of the client.
                 * @example client_01m7w4n5e0e0vbbhcpvg4zwf73
                 */
                id: components["parameters"]["ClientId"];
                /**
                 * @description The id of the API key. It is not the key itself.
                 * @example key_01m7w4n5e0ebj8t9xkcpqz3w5d
                 */
                key_id: components["parameters"]["ApiKeyId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The API key, revoked. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    "Dry-Run": components["headers"]["DryRun"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Environment": components["headers"]["XEnvironment"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKeyResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            412: components["responses"]["PreconditionFailed"];
            414: components["responses"]["UriTooLong"];
            422: components["responses"]["KeyReused"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listAuditLog: {
        parameters: {
            query: {
                /**
                 * @description The page to return. The default is 1. You can't combine it with `cursor`.
                 * @example 1
                 */
                page?: components["parameters"]["Page"];
                /**
                 * @description The number of results on a page. If you read nothing for 30 seconds, the service closes the connection.
                 * @example 20
                 */
                per_page: components["parameters"]["PerPage"];
                /**
                 * @description Continues a list where the last page ended. Send that page's `meta.next_cursor` with the same filters and the
                 *     same `sort`, but without `page`. You neither miss nor repeat a result when others insert rows. A cursor is valid
                 *     only for its list and its environment.
                 *
                 *     If results change while you read, sort by `created_at`, which never changes: you get each result once. In any
                 *     other order, a result that changes can move past the cursor, so you may miss it or get it twice. `updated_at`,
                 *     ascending, only repeats results. With `updated_from`, all pages end where the list ended on the first one.
                 * @example eyJhZnRlciI6WyIyMDI2LTExLTIwVDA5OjMwOjAwLjAwMFoiXX0
                 */
                cursor?: components["parameters"]["Cursor"];
                /**
                 * @description Entries with any of these actions. Separate actions with commas, or repeat the parameter.
                 * @example [
                 *       "client.created"
                 *     ]
                 */
                action?: components["schemas"]["AuditAction"][];
                /**
                 * @description Entries about this client or its API keys.
                 * @example client_01m7w4n5e0e0vbbhcpvg4zwf73
                 */
                client_id?: string;
                /**
                 * @description Entries about actions of this client.
                 * @example client_01m7w4n5e0e0vbbhcpvg4zwf73
                 */
                actor_id?: string;
                /**
                 * @description What was done on behalf of this user.
                 * @example user_01m7w4n5e0eymtkc82hvhg0xb9
                 */
                actor_user_id?: components["parameters"]["ActorUserId"];
                /**
                 * @description Results created at this moment or later. Send an RFC 3339 instant or a date. A date includes its whole day.
                 * @example 2026-11-01
                 */
                created_from?: components["parameters"]["CreatedFrom"];
                /**
                 * @description Results created at this moment or earlier. Send an RFC 3339 instant or a date. A date includes its whole day.
                 * @example 2026-11-30
                 */
                created_to?: components["parameters"]["CreatedTo"];
                /**
                 * @description The field to sort by. A leading `-` means descending.
                 * @example created_at
                 */
                sort: components["schemas"]["AuditLogOrder"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the audit log. A page after the last one is empty. */
            200: {
                headers: {
                    Link: components["headers"]["Link"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Environment": components["headers"]["XEnvironment"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuditLogResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    resetSandbox: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Lets you safely repeat a request whose answer did not arrive. Send a new random UUID with each new request. A
                 *     repeat with the same key within 24 hours changes nothing: it gets the stored answer with `Idempotency-Replayed:
                 *     true`, if its credentials have the scopes that the answer depends on. Errors are not stored.
                 *
                 *     Each client has its own keys. A different request with the same key is a 422 with the code
                 *     `idempotency_key_reused`. When a client's answers take all their room, a new key is a 429
                 *     `idempotency_storage_full`.
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /**
                 * @description With `true`, the service does everything, answers, and rolls it back. Ids in the answer do not exist.
                 * @example true
                 */
                "Dry-Run"?: components["parameters"]["DryRun"];
                /**
                 * @description The active user on whose behalf you act, instead of your client's own `user_id`. Histories then name the user.
                 * @example user_01m7w4n5e0eymtkc82hvhg0xb9
                 */
                "Acting-User"?: components["parameters"]["ActingUser"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The sandbox is empty. */
            200: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    "Dry-Run": components["headers"]["DryRun"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Environment": components["headers"]["XEnvironment"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SandboxResetResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["SandboxOnly"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            414: components["responses"]["UriTooLong"];
            422: components["responses"]["KeyReused"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    seedSandbox: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Lets you safely repeat a request whose answer did not arrive. Send a new random UUID with each new request. A
                 *     repeat with the same key within 24 hours changes nothing: it gets the stored answer with `Idempotency-Replayed:
                 *     true`, if its credentials have the scopes that the answer depends on. Errors are not stored.
                 *
                 *     Each client has its own keys. A different request with the same key is a 422 with the code
                 *     `idempotency_key_reused`. When a client's answers take all their room, a new key is a 429
                 *     `idempotency_storage_full`.
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /**
                 * @description With `true`, the service does everything, answers, and rolls it back. Ids in the answer do not exist.
                 * @example true
                 */
                "Dry-Run"?: components["parameters"]["DryRun"];
                /**
                 * @description The active user on whose behalf you act, instead of your client's own `user_id`. Histories then name the user.
                 * @example user_01m7w4n5e0eymtkc82hvhg0xb9
                 */
                "Acting-User"?: components["parameters"]["ActingUser"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description The data to add. You may leave out the body. */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["SeedSandbox"];
            };
        };
        responses: {
            /** @description The data was added. */
            201: {
                headers: {
                    Location: components["headers"]["Location"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    "Dry-Run": components["headers"]["DryRun"];
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Environment": components["headers"]["XEnvironment"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SandboxSeedResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["SandboxOnly"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["UriTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["SeedFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    leadCreated: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The id of the event. It is the same in every attempt and every replay, so you can use it to ignore an event that
                 *     you have already seen.
                 * @example event_01m7w4n5e0e5w9fsgdq3y8x2ra
                 */
                "webhook-id": components["parameters"]["WebhookIdHeader"];
                /**
                 * @description When this attempt was sent, in seconds since 1970-01-01 UTC. Refuse a request whose timestamp is more than 5 minutes
                 *     away from your clock.
                 * @example 1795167000
                 */
                "webhook-timestamp": components["parameters"]["WebhookTimestampHeader"];
                /**
                 * @description One or more signatures with a space between them, each `v1,` and an HMAC-SHA256 in base64. At least one must match.
                 *     During a rotation there is one for each secret. `POST /webhooks` explains how to verify them.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": components["parameters"]["WebhookSignatureHeader"];
                /**
                 * @description The trace and the span of this attempt ([W3C Trace Context](https://www.w3.org/TR/trace-context/)), if the
                 *     service sends traces. Continue the trace if you use tracing; otherwise ignore it. The signature does not cover
                 *     it.
                 * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
                 */
                traceparent?: components["parameters"]["TraceparentHeader"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description The event. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "type": "lead.created",
                 *       "id": "event_01m7w4n5e0e5w9fsgdq3y8x2ra",
                 *       "occurred_at": "2026-11-20T09:30:00.000Z",
                 *       "environment": "production",
                 *       "request_id": "req-5f3c9a7e1b2d",
                 *       "actor": {
                 *         "type": "client",
                 *         "id": "client_01m7w4n5e0e0vbbhcpvg4zwf73",
                 *         "user_id": "user_01m7w4n5e0eymtkc82hvhg0xb9"
                 *       },
                 *       "data": {
                 *         "object": {
                 *           "id": "lead_01m7w4n5e0e3tajy9kep34bze2",
                 *           "name": "Ada Lovelace",
                 *           "email": "ada@example.com",
                 *           "phone": "+4915112345678",
                 *           "status": "new",
                 *           "source": "website",
                 *           "source_detail": "Trade show Berlin",
                 *           "company": "Analytical Engines",
                 *           "tags": [
                 *             "vip",
                 *             "newsletter"
                 *           ],
                 *           "assigned_user_id": "user_01m7w4n5e0eymtkc82hvhg0xb9",
                 *           "content_id": "content_01m7w4n5e0fj29y8hnfp12qb0m",
                 *           "contact_id": null,
                 *           "external_id": "crm-4711",
                 *           "lost_reason": null,
                 *           "value": {
                 *             "amount": "1250.00",
                 *             "currency": "EUR"
                 *           },
                 *           "expected_close_on": "2027-01-31",
                 *           "metadata": {
                 *             "plan": "enterprise"
                 *           },
                 *           "status_changed_at": "2026-11-20T09:30:00.000Z",
                 *           "first_contacted_at": null,
                 *           "first_qualified_at": null,
                 *           "first_won_at": null,
                 *           "first_lost_at": null,
                 *           "created_at": "2026-11-20T09:30:00.000Z",
                 *           "updated_at": "2026-11-20T09:30:00.000Z",
                 *           "version": 1
                 *         },
                 *         "changes": {}
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["LeadCreatedEvent"];
            };
        };
        responses: {
            /** @description You don't want any more events. The service disables the webhook immediately. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description You have received the event. After any other answer, or none within 15 seconds, the service sends it again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    leadUpdated: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The id of the event. It is the same in every attempt and every replay, so you can use it to ignore an event that
                 *     you have already seen.
                 * @example event_01m7w4n5e0e5w9fsgdq3y8x2ra
                 */
                "webhook-id": components["parameters"]["WebhookIdHeader"];
                /**
                 * @description When this attempt was sent, in seconds since 1970-01-01 UTC. Refuse a request whose timestamp is more than 5 minutes
                 *     away from your clock.
                 * @example 1795167000
                 */
                "webhook-timestamp": components["parameters"]["WebhookTimestampHeader"];
                /**
                 * @description One or more signatures with a space between them, each `v1,` and an HMAC-SHA256 in base64. At least one must match.
                 *     During a rotation there is one for each secret. `POST /webhooks` explains how to verify them.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": components["parameters"]["WebhookSignatureHeader"];
                /**
                 * @description The trace and the span of this attempt ([W3C Trace Context](https://www.w3.org/TR/trace-context/)), if the
                 *     service sends traces. Continue the trace if you use tracing; otherwise ignore it. The signature does not cover
                 *     it.
                 * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
                 */
                traceparent?: components["parameters"]["TraceparentHeader"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description The event. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "type": "lead.updated",
                 *       "id": "event_01m7w4n5e0e5w9fsgdq3y8x2rb",
                 *       "occurred_at": "2026-11-21T10:15:30.250Z",
                 *       "environment": "production",
                 *       "request_id": "req-5f3c9a7e1b2d",
                 *       "actor": {
                 *         "type": "client",
                 *         "id": "client_01m7w4n5e0e0vbbhcpvg4zwf73",
                 *         "user_id": "user_01m7w4n5e0eymtkc82hvhg0xb9"
                 *       },
                 *       "data": {
                 *         "object": {
                 *           "id": "lead_01m7w4n5e0e3tajy9kep34bze2",
                 *           "name": "Ada Lovelace",
                 *           "email": "ada@example.com",
                 *           "phone": "+4915112345678",
                 *           "status": "new",
                 *           "source": "website",
                 *           "source_detail": "Trade show Berlin",
                 *           "company": "Analytical Engines Ltd",
                 *           "tags": [
                 *             "vip",
                 *             "newsletter"
                 *           ],
                 *           "assigned_user_id": "user_01m7w4n5e0eymtkc82hvhg0xb9",
                 *           "content_id": "content_01m7w4n5e0fj29y8hnfp12qb0m",
                 *           "contact_id": null,
                 *           "external_id": "crm-4711",
                 *           "lost_reason": null,
                 *           "value": {
                 *             "amount": "1250.00",
                 *             "currency": "EUR"
                 *           },
                 *           "expected_close_on": "2027-01-31",
                 *           "metadata": {
                 *             "plan": "enterprise"
                 *           },
                 *           "status_changed_at": "2026-11-20T09:30:00.000Z",
                 *           "first_contacted_at": null,
                 *           "first_qualified_at": null,
                 *           "first_won_at": null,
                 *           "first_lost_at": null,
                 *           "created_at": "2026-11-20T09:30:00.000Z",
                 *           "updated_at": "2026-11-21T10:15:30.250Z",
                 *           "version": 2
                 *         },
                 *         "changes": {
                 *           "company": {
                 *             "from": "Analytical Engines",
                 *             "to": "Analytical Engines Ltd"
                 *           }
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["LeadUpdatedEvent"];
            };
        };
        responses: {
            /** @description You don't want any more events. The service disables the webhook immediately. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description You have received the event. After any other answer, or none within 15 seconds, the service sends it again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    leadStatusChanged: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The id of the event. It is the same in every attempt and every replay, so you can use it to ignore an event that
                 *     you have already seen.
                 * @example event_01m7w4n5e0e5w9fsgdq3y8x2ra
                 */
                "webhook-id": components["parameters"]["WebhookIdHeader"];
                /**
                 * @description When this attempt was sent, in seconds since 1970-01-01 UTC. Refuse a request whose timestamp is more than 5 minutes
                 *     away from your clock.
                 * @example 1795167000
                 */
                "webhook-timestamp": components["parameters"]["WebhookTimestampHeader"];
                /**
                 * @description One or more signatures with a space between them, each `v1,` and an HMAC-SHA256 in base64. At least one must match.
                 *     During a rotation there is one for each secret. `POST /webhooks` explains how to verify them.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": components["parameters"]["WebhookSignatureHeader"];
                /**
                 * @description The trace and the span of this attempt ([W3C Trace Context](https://www.w3.org/TR/trace-context/)), if the
                 *     service sends traces. Continue the trace if you use tracing; otherwise ignore it. The signature does not cover
                 *     it.
                 * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
                 */
                traceparent?: components["parameters"]["TraceparentHeader"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description The event. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "type": "lead.status_changed",
                 *       "id": "event_01m7w4n5e0e5w9fsgdq3y8x2rc",
                 *       "occurred_at": "2026-11-22T08:00:00.125Z",
                 *       "environment": "production",
                 *       "request_id": "req-5f3c9a7e1b2d",
                 *       "actor": {
                 *         "type": "client",
                 *         "id": "client_01m7w4n5e0e0vbbhcpvg4zwf73",
                 *         "user_id": "user_01m7w4n5e0eymtkc82hvhg0xb9"
                 *       },
                 *       "data": {
                 *         "object": {
                 *           "id": "lead_01m7w4n5e0e3tajy9kep34bze2",
                 *           "name": "Ada Lovelace",
                 *           "email": "ada@example.com",
                 *           "phone": "+4915112345678",
                 *           "status": "contacted",
                 *           "source": "website",
                 *           "source_detail": "Trade show Berlin",
                 *           "company": "Analytical Engines",
                 *           "tags": [
                 *             "vip",
                 *             "newsletter"
                 *           ],
                 *           "assigned_user_id": "user_01m7w4n5e0eymtkc82hvhg0xb9",
                 *           "content_id": "content_01m7w4n5e0fj29y8hnfp12qb0m",
                 *           "contact_id": null,
                 *           "external_id": "crm-4711",
                 *           "lost_reason": null,
                 *           "value": {
                 *             "amount": "1250.00",
                 *             "currency": "EUR"
                 *           },
                 *           "expected_close_on": "2027-01-31",
                 *           "metadata": {
                 *             "plan": "enterprise"
                 *           },
                 *           "status_changed_at": "2026-11-22T08:00:00.125Z",
                 *           "first_contacted_at": "2026-11-22T08:00:00.125Z",
                 *           "first_qualified_at": null,
                 *           "first_won_at": null,
                 *           "first_lost_at": null,
                 *           "created_at": "2026-11-20T09:30:00.000Z",
                 *           "updated_at": "2026-11-22T08:00:00.125Z",
                 *           "version": 2
                 *         },
                 *         "changes": {
                 *           "status": {
                 *             "from": "new",
                 *             "to": "contacted"
                 *           },
                 *           "status_changed_at": {
                 *             "from": "2026-11-20T09:30:00.000Z",
                 *             "to": "2026-11-22T08:00:00.125Z"
                 *           },
                 *           "first_contacted_at": {
                 *             "from": null,
                 *             "to": "2026-11-22T08:00:00.125Z"
                 *           }
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["LeadStatusChangedEvent"];
            };
        };
        responses: {
            /** @description You don't want any more events. The service disables the webhook immediately. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description You have received the event. After any other answer, or none within 15 seconds, the service sends it again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    leadAssigned: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The id of the event. It is the same in every attempt and every replay, so you can use it to ignore an event that
                 *     you have already seen.
                 * @example event_01m7w4n5e0e5w9fsgdq3y8x2ra
                 */
                "webhook-id": components["parameters"]["WebhookIdHeader"];
                /**
                 * @description When this attempt was sent, in seconds since 1970-01-01 UTC. Refuse a request whose timestamp is more than 5 minutes
                 *     away from your clock.
                 * @example 1795167000
                 */
                "webhook-timestamp": components["parameters"]["WebhookTimestampHeader"];
                /**
                 * @description One or more signatures with a space between them, each `v1,` and an HMAC-SHA256 in base64. At least one must match.
                 *     During a rotation there is one for each secret. `POST /webhooks` explains how to verify them.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": components["parameters"]["WebhookSignatureHeader"];
                /**
                 * @description The trace and the span of this attempt ([W3C Trace Context](https://www.w3.org/TR/trace-context/)), if the
                 *     service sends traces. Continue the trace if you use tracing; otherwise ignore it. The signature does not cover
                 *     it.
                 * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
                 */
                traceparent?: components["parameters"]["TraceparentHeader"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description The event. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "type": "lead.assigned",
                 *       "id": "event_01m7w4n5e0e5w9fsgdq3y8x2rd",
                 *       "occurred_at": "2026-11-22T08:30:00.500Z",
                 *       "environment": "production",
                 *       "request_id": "req-5f3c9a7e1b2d",
                 *       "actor": {
                 *         "type": "client",
                 *         "id": "client_01m7w4n5e0e0vbbhcpvg4zwf73",
                 *         "user_id": "user_01m7w4n5e0eymtkc82hvhg0xb9"
                 *       },
                 *       "data": {
                 *         "object": {
                 *           "id": "lead_01m7w4n5e0e3tajy9kep34bze2",
                 *           "name": "Ada Lovelace",
                 *           "email": "ada@example.com",
                 *           "phone": "+4915112345678",
                 *           "status": "new",
                 *           "source": "website",
                 *           "source_detail": "Trade show Berlin",
                 *           "company": "Analytical Engines",
                 *           "tags": [
                 *             "vip",
                 *             "newsletter"
                 *           ],
                 *           "assigned_user_id": "user_01m7w4n5e0f3ms1x6q2m9w7d4k",
                 *           "content_id": "content_01m7w4n5e0fj29y8hnfp12qb0m",
                 *           "contact_id": null,
                 *           "external_id": "crm-4711",
                 *           "lost_reason": null,
                 *           "value": {
                 *             "amount": "1250.00",
                 *             "currency": "EUR"
                 *           },
                 *           "expected_close_on": "2027-01-31",
                 *           "metadata": {
                 *             "plan": "enterprise"
                 *           },
                 *           "status_changed_at": "2026-11-20T09:30:00.000Z",
                 *           "first_contacted_at": null,
                 *           "first_qualified_at": null,
                 *           "first_won_at": null,
                 *           "first_lost_at": null,
                 *           "created_at": "2026-11-20T09:30:00.000Z",
                 *           "updated_at": "2026-11-22T08:30:00.500Z",
                 *           "version": 3
                 *         },
                 *         "changes": {
                 *           "assigned_user_id": {
                 *             "from": "user_01m7w4n5e0eymtkc82hvhg0xb9",
                 *             "to": "user_01m7w4n5e0f3ms1x6q2m9w7d4k"
                 *           }
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["LeadAssignedEvent"];
            };
        };
        responses: {
            /** @description You don't want any more events. The service disables the webhook immediately. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description You have received the event. After any other answer, or none within 15 seconds, the service sends it again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    leadConverted: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The id of the event. It is the same in every attempt and every replay, so you can use it to ignore an event that
                 *     you have already seen.
                 * @example event_01m7w4n5e0e5w9fsgdq3y8x2ra
                 */
                "webhook-id": components["parameters"]["WebhookIdHeader"];
                /**
                 * @description When this attempt was sent, in seconds since 1970-01-01 UTC. Refuse a request whose timestamp is more than 5 minutes
                 *     away from your clock.
                 * @example 1795167000
                 */
                "webhook-timestamp": components["parameters"]["WebhookTimestampHeader"];
                /**
                 * @description One or more signatures with a space between them, each `v1,` and an HMAC-SHA256 in base64. At least one must match.
                 *     During a rotation there is one for each secret. `POST /webhooks` explains how to verify them.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": components["parameters"]["WebhookSignatureHeader"];
                /**
                 * @description The trace and the span of this attempt ([W3C Trace Context](https://www.w3.org/TR/trace-context/)), if the
                 *     service sends traces. Continue the trace if you use tracing; otherwise ignore it. The signature does not cover
                 *     it.
                 * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
                 */
                traceparent?: components["parameters"]["TraceparentHeader"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description The event. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "type": "lead.converted",
                 *       "id": "event_01m7w4n5e0e5w9fsgdq3y8x2re",
                 *       "occurred_at": "2026-11-24T15:05:12.480Z",
                 *       "environment": "production",
                 *       "request_id": "req-5f3c9a7e1b2d",
                 *       "actor": {
                 *         "type": "client",
                 *         "id": "client_01m7w4n5e0e0vbbhcpvg4zwf73",
                 *         "user_id": "user_01m7w4n5e0eymtkc82hvhg0xb9"
                 *       },
                 *       "data": {
                 *         "object": {
                 *           "id": "lead_01m7w4n5e0e3tajy9kep34bze2",
                 *           "name": "Ada Lovelace",
                 *           "email": "ada@example.com",
                 *           "phone": "+4915112345678",
                 *           "status": "won",
                 *           "source": "website",
                 *           "source_detail": "Trade show Berlin",
                 *           "company": "Analytical Engines",
                 *           "tags": [
                 *             "vip",
                 *             "newsletter"
                 *           ],
                 *           "assigned_user_id": "user_01m7w4n5e0eymtkc82hvhg0xb9",
                 *           "content_id": "content_01m7w4n5e0fj29y8hnfp12qb0m",
                 *           "contact_id": "contact_01m7w4n5e0fymt8j463c8gepsz",
                 *           "external_id": "crm-4711",
                 *           "lost_reason": null,
                 *           "value": {
                 *             "amount": "1250.00",
                 *             "currency": "EUR"
                 *           },
                 *           "expected_close_on": "2027-01-31",
                 *           "metadata": {
                 *             "plan": "enterprise"
                 *           },
                 *           "status_changed_at": "2026-11-24T15:05:12.480Z",
                 *           "first_contacted_at": "2026-11-22T08:00:00.125Z",
                 *           "first_qualified_at": "2026-11-23T10:15:00.000Z",
                 *           "first_won_at": "2026-11-24T15:05:12.480Z",
                 *           "first_lost_at": null,
                 *           "created_at": "2026-11-20T09:30:00.000Z",
                 *           "updated_at": "2026-11-24T15:05:12.480Z",
                 *           "version": 4
                 *         },
                 *         "changes": {
                 *           "contact_id": {
                 *             "from": null,
                 *             "to": "contact_01m7w4n5e0fymt8j463c8gepsz"
                 *           }
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["LeadConvertedEvent"];
            };
        };
        responses: {
            /** @description You don't want any more events. The service disables the webhook immediately. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description You have received the event. After any other answer, or none within 15 seconds, the service sends it again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    leadEnquired: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The id of the event. It is the same in every attempt and every replay, so you can use it to ignore an event that
                 *     you have already seen.
                 * @example event_01m7w4n5e0e5w9fsgdq3y8x2ra
                 */
                "webhook-id": components["parameters"]["WebhookIdHeader"];
                /**
                 * @description When this attempt was sent, in seconds since 1970-01-01 UTC. Refuse a request whose timestamp is more than 5 minutes
                 *     away from your clock.
                 * @example 1795167000
                 */
                "webhook-timestamp": components["parameters"]["WebhookTimestampHeader"];
                /**
                 * @description One or more signatures with a space between them, each `v1,` and an HMAC-SHA256 in base64. At least one must match.
                 *     During a rotation there is one for each secret. `POST /webhooks` explains how to verify them.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": components["parameters"]["WebhookSignatureHeader"];
                /**
                 * @description The trace and the span of this attempt ([W3C Trace Context](https://www.w3.org/TR/trace-context/)), if the
                 *     service sends traces. Continue the trace if you use tracing; otherwise ignore it. The signature does not cover
                 *     it.
                 * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
                 */
                traceparent?: components["parameters"]["TraceparentHeader"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description The event. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "type": "lead.enquired",
                 *       "id": "event_01m7w4n5e0e5w9fsgdq3y8x2s3",
                 *       "occurred_at": "2026-11-24T16:20:45.000Z",
                 *       "environment": "production",
                 *       "request_id": "req-5f3c9a7e1b2d",
                 *       "actor": {
                 *         "type": "hook",
                 *         "id": "hook_01m7w4n5e0fsb8fz3v1cgq6c9t",
                 *         "user_id": null
                 *       },
                 *       "data": {
                 *         "object": {
                 *           "id": "lead_01m7w4n5e0e3tajy9kep34bze2",
                 *           "name": "Ada Lovelace",
                 *           "email": "ada@example.com",
                 *           "phone": "+4915112345678",
                 *           "status": "contacted",
                 *           "source": "website",
                 *           "source_detail": "Trade show Berlin",
                 *           "company": "Analytical Engines",
                 *           "tags": [
                 *             "vip",
                 *             "newsletter"
                 *           ],
                 *           "assigned_user_id": "user_01m7w4n5e0eymtkc82hvhg0xb9",
                 *           "content_id": "content_01m7w4n5e0fj29y8hnfp12qb0m",
                 *           "contact_id": null,
                 *           "external_id": "crm-4711",
                 *           "lost_reason": null,
                 *           "value": {
                 *             "amount": "1250.00",
                 *             "currency": "EUR"
                 *           },
                 *           "expected_close_on": "2027-01-31",
                 *           "metadata": {
                 *             "plan": "enterprise"
                 *           },
                 *           "status_changed_at": "2026-11-22T08:00:00.125Z",
                 *           "first_contacted_at": "2026-11-22T08:00:00.125Z",
                 *           "first_qualified_at": null,
                 *           "first_won_at": null,
                 *           "first_lost_at": null,
                 *           "created_at": "2026-11-20T09:30:00.000Z",
                 *           "updated_at": "2026-11-22T08:00:00.125Z",
                 *           "version": 2
                 *         },
                 *         "changes": {}
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["LeadEnquiredEvent"];
            };
        };
        responses: {
            /** @description You don't want any more events. The service disables the webhook immediately. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description You have received the event. After any other answer, or none within 15 seconds, the service sends it again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    leadDeleted: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The id of the event. It is the same in every attempt and every replay, so you can use it to ignore an event that
                 *     you have already seen.
                 * @example event_01m7w4n5e0e5w9fsgdq3y8x2ra
                 */
                "webhook-id": components["parameters"]["WebhookIdHeader"];
                /**
                 * @description When this attempt was sent, in seconds since 1970-01-01 UTC. Refuse a request whose timestamp is more than 5 minutes
                 *     away from your clock.
                 * @example 1795167000
                 */
                "webhook-timestamp": components["parameters"]["WebhookTimestampHeader"];
                /**
                 * @description One or more signatures with a space between them, each `v1,` and an HMAC-SHA256 in base64. At least one must match.
                 *     During a rotation there is one for each secret. `POST /webhooks` explains how to verify them.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": components["parameters"]["WebhookSignatureHeader"];
                /**
                 * @description The trace and the span of this attempt ([W3C Trace Context](https://www.w3.org/TR/trace-context/)), if the
                 *     service sends traces. Continue the trace if you use tracing; otherwise ignore it. The signature does not cover
                 *     it.
                 * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
                 */
                traceparent?: components["parameters"]["TraceparentHeader"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description The event. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "type": "lead.deleted",
                 *       "id": "event_01m7w4n5e0e5w9fsgdq3y8x2rf",
                 *       "occurred_at": "2026-12-01T12:00:00.000Z",
                 *       "environment": "production",
                 *       "request_id": "req-5f3c9a7e1b2d",
                 *       "actor": {
                 *         "type": "client",
                 *         "id": "client_01m7w4n5e0e0vbbhcpvg4zwf73",
                 *         "user_id": "user_01m7w4n5e0eymtkc82hvhg0xb9"
                 *       },
                 *       "data": {
                 *         "object": {
                 *           "id": "lead_01m7w4n5e0e3tajy9kep34bze2"
                 *         },
                 *         "changes": {}
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["LeadDeletedEvent"];
            };
        };
        responses: {
            /** @description You don't want any more events. The service disables the webhook immediately. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description You have received the event. After any other answer, or none within 15 seconds, the service sends it again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    contactCreated: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The id of the event. It is the same in every attempt and every replay, so you can use it to ignore an event that
                 *     you have already seen.
                 * @example event_01m7w4n5e0e5w9fsgdq3y8x2ra
                 */
                "webhook-id": components["parameters"]["WebhookIdHeader"];
                /**
                 * @description When this attempt was sent, in seconds since 1970-01-01 UTC. Refuse a request whose timestamp is more than 5 minutes
                 *     away from your clock.
                 * @example 1795167000
                 */
                "webhook-timestamp": components["parameters"]["WebhookTimestampHeader"];
                /**
                 * @description One or more signatures with a space between them, each `v1,` and an HMAC-SHA256 in base64. At least one must match.
                 *     During a rotation there is one for each secret. `POST /webhooks` explains how to verify them.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": components["parameters"]["WebhookSignatureHeader"];
                /**
                 * @description The trace and the span of this attempt ([W3C Trace Context](https://www.w3.org/TR/trace-context/)), if the
                 *     service sends traces. Continue the trace if you use tracing; otherwise ignore it. The signature does not cover
                 *     it.
                 * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
                 */
                traceparent?: components["parameters"]["TraceparentHeader"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description The event. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "type": "contact.created",
                 *       "id": "event_01m7w4n5e0e5w9fsgdq3y8x2rg",
                 *       "occurred_at": "2026-11-24T15:05:12.480Z",
                 *       "environment": "production",
                 *       "request_id": "req-5f3c9a7e1b2d",
                 *       "actor": {
                 *         "type": "client",
                 *         "id": "client_01m7w4n5e0e0vbbhcpvg4zwf73",
                 *         "user_id": "user_01m7w4n5e0eymtkc82hvhg0xb9"
                 *       },
                 *       "data": {
                 *         "object": {
                 *           "id": "contact_01m7w4n5e0fymt8j463c8gepsz",
                 *           "name": "Ada Lovelace",
                 *           "email": "ada@example.com",
                 *           "phone": "+4915112345678",
                 *           "company": "Analytical Engines",
                 *           "title": null,
                 *           "tags": [
                 *             "vip",
                 *             "newsletter"
                 *           ],
                 *           "assigned_user_id": "user_01m7w4n5e0eymtkc82hvhg0xb9",
                 *           "external_id": null,
                 *           "metadata": {},
                 *           "created_at": "2026-11-24T15:05:12.480Z",
                 *           "updated_at": "2026-11-24T15:05:12.480Z",
                 *           "version": 1
                 *         },
                 *         "changes": {}
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["ContactCreatedEvent"];
            };
        };
        responses: {
            /** @description You don't want any more events. The service disables the webhook immediately. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description You have received the event. After any other answer, or none within 15 seconds, the service sends it again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    contactUpdated: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The id of the event. It is the same in every attempt and every replay, so you can use it to ignore an event that
                 *     you have already seen.
                 * @example event_01m7w4n5e0e5w9fsgdq3y8x2ra
                 */
                "webhook-id": components["parameters"]["WebhookIdHeader"];
                /**
                 * @description When this attempt was sent, in seconds since 1970-01-01 UTC. Refuse a request whose timestamp is more than 5 minutes
                 *     away from your clock.
                 * @example 1795167000
                 */
                "webhook-timestamp": components["parameters"]["WebhookTimestampHeader"];
                /**
                 * @description One or more signatures with a space between them, each `v1,` and an HMAC-SHA256 in base64. At least one must match.
                 *     During a rotation there is one for each secret. `POST /webhooks` explains how to verify them.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": components["parameters"]["WebhookSignatureHeader"];
                /**
                 * @description The trace and the span of this attempt ([W3C Trace Context](https://www.w3.org/TR/trace-context/)), if the
                 *     service sends traces. Continue the trace if you use tracing; otherwise ignore it. The signature does not cover
                 *     it.
                 * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
                 */
                traceparent?: components["parameters"]["TraceparentHeader"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description The event. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "type": "contact.updated",
                 *       "id": "event_01m7w4n5e0e5w9fsgdq3y8x2rh",
                 *       "occurred_at": "2026-11-25T09:00:00.000Z",
                 *       "environment": "production",
                 *       "request_id": "req-5f3c9a7e1b2d",
                 *       "actor": {
                 *         "type": "client",
                 *         "id": "client_01m7w4n5e0e0vbbhcpvg4zwf73",
                 *         "user_id": "user_01m7w4n5e0eymtkc82hvhg0xb9"
                 *       },
                 *       "data": {
                 *         "object": {
                 *           "id": "contact_01m7w4n5e0fymt8j463c8gepsz",
                 *           "name": "Ada Lovelace",
                 *           "email": "ada@example.com",
                 *           "phone": "+4915112345678",
                 *           "company": "Analytical Engines",
                 *           "title": "Head of Engineering",
                 *           "tags": [
                 *             "vip",
                 *             "newsletter"
                 *           ],
                 *           "assigned_user_id": "user_01m7w4n5e0eymtkc82hvhg0xb9",
                 *           "external_id": null,
                 *           "metadata": {},
                 *           "created_at": "2026-11-24T15:05:12.480Z",
                 *           "updated_at": "2026-11-25T09:00:00.000Z",
                 *           "version": 2
                 *         },
                 *         "changes": {
                 *           "title": {
                 *             "from": null,
                 *             "to": "Head of Engineering"
                 *           }
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["ContactUpdatedEvent"];
            };
        };
        responses: {
            /** @description You don't want any more events. The service disables the webhook immediately. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description You have received the event. After any other answer, or none within 15 seconds, the service sends it again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    contactDeleted: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The id of the event. It is the same in every attempt and every replay, so you can use it to ignore an event that
                 *     you have already seen.
                 * @example event_01m7w4n5e0e5w9fsgdq3y8x2ra
                 */
                "webhook-id": components["parameters"]["WebhookIdHeader"];
                /**
                 * @description When this attempt was sent, in seconds since 1970-01-01 UTC. Refuse a request whose timestamp is more than 5 minutes
                 *     away from your clock.
                 * @example 1795167000
                 */
                "webhook-timestamp": components["parameters"]["WebhookTimestampHeader"];
                /**
                 * @description One or more signatures with a space between them, each `v1,` and an HMAC-SHA256 in base64. At least one must match.
                 *     During a rotation there is one for each secret. `POST /webhooks` explains how to verify them.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": components["parameters"]["WebhookSignatureHeader"];
                /**
                 * @description The trace and the span of this attempt ([W3C Trace Context](https://www.w3.org/TR/trace-context/)), if the
                 *     service sends traces. Continue the trace if you use tracing; otherwise ignore it. The signature does not cover
                 *     it.
                 * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
                 */
                traceparent?: components["parameters"]["TraceparentHeader"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description The event. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "type": "contact.deleted",
                 *       "id": "event_01m7w4n5e0e5w9fsgdq3y8x2rj",
                 *       "occurred_at": "2026-12-01T12:00:00.000Z",
                 *       "environment": "production",
                 *       "request_id": "req-5f3c9a7e1b2d",
                 *       "actor": {
                 *         "type": "client",
                 *         "id": "client_01m7w4n5e0e0vbbhcpvg4zwf73",
                 *         "user_id": "user_01m7w4n5e0eymtkc82hvhg0xb9"
                 *       },
                 *       "data": {
                 *         "object": {
                 *           "id": "contact_01m7w4n5e0fymt8j463c8gepsz"
                 *         },
                 *         "changes": {}
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["ContactDeletedEvent"];
            };
        };
        responses: {
            /** @description You don't want any more events. The service disables the webhook immediately. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description You have received the event. After any other answer, or none within 15 seconds, the service sends it again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    noteCreated: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The id of the event. It is the same in every attempt and every replay, so you can use it to ignore an event that
                 *     you have already seen.
                 * @example event_01m7w4n5e0e5w9fsgdq3y8x2ra
                 */
                "webhook-id": components["parameters"]["WebhookIdHeader"];
                /**
                 * @description When this attempt was sent, in seconds since 1970-01-01 UTC. Refuse a request whose timestamp is more than 5 minutes
                 *     away from your clock.
                 * @example 1795167000
                 */
                "webhook-timestamp": components["parameters"]["WebhookTimestampHeader"];
                /**
                 * @description One or more signatures with a space between them, each `v1,` and an HMAC-SHA256 in base64. At least one must match.
                 *     During a rotation there is one for each secret. `POST /webhooks` explains how to verify them.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": components["parameters"]["WebhookSignatureHeader"];
                /**
                 * @description The trace and the span of this attempt ([W3C Trace Context](https://www.w3.org/TR/trace-context/)), if the
                 *     service sends traces. Continue the trace if you use tracing; otherwise ignore it. The signature does not cover
                 *     it.
                 * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
                 */
                traceparent?: components["parameters"]["TraceparentHeader"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description The event. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "type": "note.created",
                 *       "id": "event_01m7w4n5e0e5w9fsgdq3y8x2s0",
                 *       "occurred_at": "2026-11-20T09:30:00.000Z",
                 *       "environment": "production",
                 *       "request_id": "req-5f3c9a7e1b2d",
                 *       "actor": {
                 *         "type": "client",
                 *         "id": "client_01m7w4n5e0e0vbbhcpvg4zwf73",
                 *         "user_id": "user_01m7w4n5e0eymtkc82hvhg0xb9"
                 *       },
                 *       "data": {
                 *         "object": {
                 *           "id": "note_01m7w4n5e0fnt8s5k2x9c3qrzv",
                 *           "lead_id": "lead_01m7w4n5e0e3tajy9kep34bze2",
                 *           "contact_id": null,
                 *           "text": "Called back. She decides after the board meeting on Friday.",
                 *           "pinned": true,
                 *           "author": {
                 *             "type": "client",
                 *             "id": "client_01m7w4n5e0e0vbbhcpvg4zwf73",
                 *             "user_id": null
                 *           },
                 *           "author_name": null,
                 *           "external_id": null,
                 *           "created_at": "2026-11-20T09:30:00.000Z",
                 *           "updated_at": "2026-11-20T09:30:00.000Z",
                 *           "version": 1
                 *         },
                 *         "changes": {}
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["NoteCreatedEvent"];
            };
        };
        responses: {
            /** @description You don't want any more events. The service disables the webhook immediately. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description You have received the event. After any other answer, or none within 15 seconds, the service sends it again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    noteUpdated: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The id of the event. It is the same in every attempt and every replay, so you can use it to ignore an event that
                 *     you have already seen.
                 * @example event_01m7w4n5e0e5w9fsgdq3y8x2ra
                 */
                "webhook-id": components["parameters"]["WebhookIdHeader"];
                /**
                 * @description When this attempt was sent, in seconds since 1970-01-01 UTC. Refuse a request whose timestamp is more than 5 minutes
                 *     away from your clock.
                 * @example 1795167000
                 */
                "webhook-timestamp": components["parameters"]["WebhookTimestampHeader"];
                /**
                 * @description One or more signatures with a space between them, each `v1,` and an HMAC-SHA256 in base64. At least one must match.
                 *     During a rotation there is one for each secret. `POST /webhooks` explains how to verify them.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": components["parameters"]["WebhookSignatureHeader"];
                /**
                 * @description The trace and the span of this attempt ([W3C Trace Context](https://www.w3.org/TR/trace-context/)), if the
                 *     service sends traces. Continue the trace if you use tracing; otherwise ignore it. The signature does not cover
                 *     it.
                 * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
                 */
                traceparent?: components["parameters"]["TraceparentHeader"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description The event. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "type": "note.updated",
                 *       "id": "event_01m7w4n5e0e5w9fsgdq3y8x2s1",
                 *       "occurred_at": "2026-11-20T10:15:00.000Z",
                 *       "environment": "production",
                 *       "request_id": "req-5f3c9a7e1b2d",
                 *       "actor": {
                 *         "type": "client",
                 *         "id": "client_01m7w4n5e0e0vbbhcpvg4zwf73",
                 *         "user_id": "user_01m7w4n5e0eymtkc82hvhg0xb9"
                 *       },
                 *       "data": {
                 *         "object": {
                 *           "id": "note_01m7w4n5e0fnt8s5k2x9c3qrzv",
                 *           "lead_id": "lead_01m7w4n5e0e3tajy9kep34bze2",
                 *           "contact_id": null,
                 *           "text": "Called back. She decides after the board meeting on Friday.",
                 *           "pinned": true,
                 *           "author": {
                 *             "type": "client",
                 *             "id": "client_01m7w4n5e0e0vbbhcpvg4zwf73",
                 *             "user_id": null
                 *           },
                 *           "author_name": null,
                 *           "external_id": null,
                 *           "created_at": "2026-11-20T09:30:00.000Z",
                 *           "updated_at": "2026-11-20T10:15:00.000Z",
                 *           "version": 2
                 *         },
                 *         "changes": {
                 *           "pinned": {
                 *             "from": false,
                 *             "to": true
                 *           }
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["NoteUpdatedEvent"];
            };
        };
        responses: {
            /** @description You don't want any more events. The service disables the webhook immediately. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description You have received the event. After any other answer, or none within 15 seconds, the service sends it again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    noteDeleted: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The id of the event. It is the same in every attempt and every replay, so you can use it to ignore an event that
                 *     you have already seen.
                 * @example event_01m7w4n5e0e5w9fsgdq3y8x2ra
                 */
                "webhook-id": components["parameters"]["WebhookIdHeader"];
                /**
                 * @description When this attempt was sent, in seconds since 1970-01-01 UTC. Refuse a request whose timestamp is more than 5 minutes
                 *     away from your clock.
                 * @example 1795167000
                 */
                "webhook-timestamp": components["parameters"]["WebhookTimestampHeader"];
                /**
                 * @description One or more signatures with a space between them, each `v1,` and an HMAC-SHA256 in base64. At least one must match.
                 *     During a rotation there is one for each secret. `POST /webhooks` explains how to verify them.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": components["parameters"]["WebhookSignatureHeader"];
                /**
                 * @description The trace and the span of this attempt ([W3C Trace Context](https://www.w3.org/TR/trace-context/)), if the
                 *     service sends traces. Continue the trace if you use tracing; otherwise ignore it. The signature does not cover
                 *     it.
                 * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
                 */
                traceparent?: components["parameters"]["TraceparentHeader"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description The event. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "type": "note.deleted",
                 *       "id": "event_01m7w4n5e0e5w9fsgdq3y8x2s2",
                 *       "occurred_at": "2026-11-20T11:00:00.000Z",
                 *       "environment": "production",
                 *       "request_id": "req-5f3c9a7e1b2d",
                 *       "actor": {
                 *         "type": "client",
                 *         "id": "client_01m7w4n5e0e0vbbhcpvg4zwf73",
                 *         "user_id": "user_01m7w4n5e0eymtkc82hvhg0xb9"
                 *       },
                 *       "data": {
                 *         "object": {
                 *           "id": "note_01m7w4n5e0fnt8s5k2x9c3qrzv"
                 *         },
                 *         "changes": {}
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["NoteDeletedEvent"];
            };
        };
        responses: {
            /** @description You don't want any more events. The service disables the webhook immediately. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description You have received the event. After any other answer, or none within 15 seconds, the service sends it again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    contentCreated: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The id of the event. It is the same in every attempt and every replay, so you can use it to ignore an event that
                 *     you have already seen.
                 * @example event_01m7w4n5e0e5w9fsgdq3y8x2ra
                 */
                "webhook-id": components["parameters"]["WebhookIdHeader"];
                /**
                 * @description When this attempt was sent, in seconds since 1970-01-01 UTC. Refuse a request whose timestamp is more than 5 minutes
                 *     away from your clock.
                 * @example 1795167000
                 */
                "webhook-timestamp": components["parameters"]["WebhookTimestampHeader"];
                /**
                 * @description One or more signatures with a space between them, each `v1,` and an HMAC-SHA256 in base64. At least one must match.
                 *     During a rotation there is one for each secret. `POST /webhooks` explains how to verify them.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": components["parameters"]["WebhookSignatureHeader"];
                /**
                 * @description The trace and the span of this attempt ([W3C Trace Context](https://www.w3.org/TR/trace-context/)), if the
                 *     service sends traces. Continue the trace if you use tracing; otherwise ignore it. The signature does not cover
                 *     it.
                 * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
                 */
                traceparent?: components["parameters"]["TraceparentHeader"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description The event. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "type": "content.created",
                 *       "id": "event_01m7w4n5e0e5w9fsgdq3y8x2rk",
                 *       "occurred_at": "2026-11-20T09:30:00.000Z",
                 *       "environment": "production",
                 *       "request_id": "req-5f3c9a7e1b2d",
                 *       "actor": {
                 *         "type": "client",
                 *         "id": "client_01m7w4n5e0e0vbbhcpvg4zwf73",
                 *         "user_id": "user_01m7w4n5e0eymtkc82hvhg0xb9"
                 *       },
                 *       "data": {
                 *         "object": {
                 *           "id": "content_01m7w4n5e0fj29y8hnfp12qb0m",
                 *           "title": "Seven Ways to Count Leads",
                 *           "slug": "seven-ways-to-count-leads",
                 *           "type": "ebook",
                 *           "summary": "What a pipeline tells, and what it hides.",
                 *           "body_sha256": "a20eef3ee499cfe04e2a93c7336e6fc4cc9a15a004c0b5a0078d4ba2e77d4a8e",
                 *           "url": "https://www.example.com/ebooks/seven-ways-to-count-leads",
                 *           "language": "en",
                 *           "status": "draft",
                 *           "author_user_id": "user_01m7w4n5e0eymtkc82hvhg0xb9",
                 *           "tags": [
                 *             "pipeline"
                 *           ],
                 *           "metadata": {
                 *             "campaign": "autumn"
                 *           },
                 *           "published_at": null,
                 *           "archived_at": null,
                 *           "created_at": "2026-11-20T09:30:00.000Z",
                 *           "updated_at": "2026-11-20T09:30:00.000Z",
                 *           "version": 1
                 *         },
                 *         "changes": {}
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["ContentCreatedEvent"];
            };
        };
        responses: {
            /** @description You don't want any more events. The service disables the webhook immediately. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description You have received the event. After any other answer, or none within 15 seconds, the service sends it again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    contentUpdated: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The id of the event. It is the same in every attempt and every replay, so you can use it to ignore an event that
                 *     you have already seen.
                 * @example event_01m7w4n5e0e5w9fsgdq3y8x2ra
                 */
                "webhook-id": components["parameters"]["WebhookIdHeader"];
                /**
                 * @description When this attempt was sent, in seconds since 1970-01-01 UTC. Refuse a request whose timestamp is more than 5 minutes
                 *     away from your clock.
                 * @example 1795167000
                 */
                "webhook-timestamp": components["parameters"]["WebhookTimestampHeader"];
                /**
                 * @description One or more signatures with a space between them, each `v1,` and an HMAC-SHA256 in base64. At least one must match.
                 *     During a rotation there is one for each secret. `POST /webhooks` explains how to verify them.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": components["parameters"]["WebhookSignatureHeader"];
                /**
                 * @description The trace and the span of this attempt ([W3C Trace Context](https://www.w3.org/TR/trace-context/)), if the
                 *     service sends traces. Continue the trace if you use tracing; otherwise ignore it. The signature does not cover
                 *     it.
                 * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
                 */
                traceparent?: components["parameters"]["TraceparentHeader"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description The event. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "type": "content.updated",
                 *       "id": "event_01m7w4n5e0e5w9fsgdq3y8x2rm",
                 *       "occurred_at": "2026-11-20T16:20:00.000Z",
                 *       "environment": "production",
                 *       "request_id": "req-5f3c9a7e1b2d",
                 *       "actor": {
                 *         "type": "client",
                 *         "id": "client_01m7w4n5e0e0vbbhcpvg4zwf73",
                 *         "user_id": "user_01m7w4n5e0eymtkc82hvhg0xb9"
                 *       },
                 *       "data": {
                 *         "object": {
                 *           "id": "content_01m7w4n5e0fj29y8hnfp12qb0m",
                 *           "title": "Seven Ways to Count Leads",
                 *           "slug": "seven-ways-to-count-leads",
                 *           "type": "ebook",
                 *           "summary": "What a pipeline tells, and what it hides.",
                 *           "body_sha256": "a20eef3ee499cfe04e2a93c7336e6fc4cc9a15a004c0b5a0078d4ba2e77d4a8e",
                 *           "url": "https://www.example.com/ebooks/seven-ways-to-count-leads",
                 *           "language": "en-GB",
                 *           "status": "draft",
                 *           "author_user_id": "user_01m7w4n5e0eymtkc82hvhg0xb9",
                 *           "tags": [
                 *             "pipeline"
                 *           ],
                 *           "metadata": {
                 *             "campaign": "autumn"
                 *           },
                 *           "published_at": null,
                 *           "archived_at": null,
                 *           "created_at": "2026-11-20T09:30:00.000Z",
                 *           "updated_at": "2026-11-20T16:20:00.000Z",
                 *           "version": 2
                 *         },
                 *         "changes": {
                 *           "language": {
                 *             "from": "en",
                 *             "to": "en-GB"
                 *           }
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["ContentUpdatedEvent"];
            };
        };
        responses: {
            /** @description You don't want any more events. The service disables the webhook immediately. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description You have received the event. After any other answer, or none within 15 seconds, the service sends it again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    contentPublished: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The id of the event. It is the same in every attempt and every replay, so you can use it to ignore an event that
                 *     you have already seen.
                 * @example event_01m7w4n5e0e5w9fsgdq3y8x2ra
                 */
                "webhook-id": components["parameters"]["WebhookIdHeader"];
                /**
                 * @description When this attempt was sent, in seconds since 1970-01-01 UTC. Refuse a request whose timestamp is more than 5 minutes
                 *     away from your clock.
                 * @example 1795167000
                 */
                "webhook-timestamp": components["parameters"]["WebhookTimestampHeader"];
                /**
                 * @description One or more signatures with a space between them, each `v1,` and an HMAC-SHA256 in base64. At least one must match.
                 *     During a rotation there is one for each secret. `POST /webhooks` explains how to verify them.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": components["parameters"]["WebhookSignatureHeader"];
                /**
                 * @description The trace and the span of this attempt ([W3C Trace Context](https://www.w3.org/TR/trace-context/)), if the
                 *     service sends traces. Continue the trace if you use tracing; otherwise ignore it. The signature does not cover
                 *     it.
                 * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
                 */
                traceparent?: components["parameters"]["TraceparentHeader"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description The event. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "type": "content.published",
                 *       "id": "event_01m7w4n5e0e5w9fsgdq3y8x2rn",
                 *       "occurred_at": "2026-11-21T08:00:00.000Z",
                 *       "environment": "production",
                 *       "request_id": "req-5f3c9a7e1b2d",
                 *       "actor": {
                 *         "type": "client",
                 *         "id": "client_01m7w4n5e0e0vbbhcpvg4zwf73",
                 *         "user_id": "user_01m7w4n5e0eymtkc82hvhg0xb9"
                 *       },
                 *       "data": {
                 *         "object": {
                 *           "id": "content_01m7w4n5e0fj29y8hnfp12qb0m",
                 *           "title": "Seven Ways to Count Leads",
                 *           "slug": "seven-ways-to-count-leads",
                 *           "type": "ebook",
                 *           "summary": "What a pipeline tells, and what it hides.",
                 *           "body_sha256": "a20eef3ee499cfe04e2a93c7336e6fc4cc9a15a004c0b5a0078d4ba2e77d4a8e",
                 *           "url": "https://www.example.com/ebooks/seven-ways-to-count-leads",
                 *           "language": "en",
                 *           "status": "published",
                 *           "author_user_id": "user_01m7w4n5e0eymtkc82hvhg0xb9",
                 *           "tags": [
                 *             "pipeline"
                 *           ],
                 *           "metadata": {
                 *             "campaign": "autumn"
                 *           },
                 *           "published_at": "2026-11-21T08:00:00.000Z",
                 *           "archived_at": null,
                 *           "created_at": "2026-11-20T09:30:00.000Z",
                 *           "updated_at": "2026-11-21T08:00:00.000Z",
                 *           "version": 2
                 *         },
                 *         "changes": {
                 *           "status": {
                 *             "from": "draft",
                 *             "to": "published"
                 *           },
                 *           "published_at": {
                 *             "from": null,
                 *             "to": "2026-11-21T08:00:00.000Z"
                 *           }
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["ContentPublishedEvent"];
            };
        };
        responses: {
            /** @description You don't want any more events. The service disables the webhook immediately. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description You have received the event. After any other answer, or none within 15 seconds, the service sends it again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    contentUnpublished: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The id of the event. It is the same in every attempt and every replay, so you can use it to ignore an event that
                 *     you have already seen.
                 * @example event_01m7w4n5e0e5w9fsgdq3y8x2ra
                 */
                "webhook-id": components["parameters"]["WebhookIdHeader"];
                /**
                 * @description When this attempt was sent, in seconds since 1970-01-01 UTC. Refuse a request whose timestamp is more than 5 minutes
                 *     away from your clock.
                 * @example 1795167000
                 */
                "webhook-timestamp": components["parameters"]["WebhookTimestampHeader"];
                /**
                 * @description One or more signatures with a space between them, each `v1,` and an HMAC-SHA256 in base64. At least one must match.
                 *     During a rotation there is one for each secret. `POST /webhooks` explains how to verify them.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": components["parameters"]["WebhookSignatureHeader"];
                /**
                 * @description The trace and the span of this attempt ([W3C Trace Context](https://www.w3.org/TR/trace-context/)), if the
                 *     service sends traces. Continue the trace if you use tracing; otherwise ignore it. The signature does not cover
                 *     it.
                 * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
                 */
                traceparent?: components["parameters"]["TraceparentHeader"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description The event. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "type": "content.unpublished",
                 *       "id": "event_01m7w4n5e0e5w9fsgdq3y8x2rp",
                 *       "occurred_at": "2026-11-22T08:00:00.000Z",
                 *       "environment": "production",
                 *       "request_id": "req-5f3c9a7e1b2d",
                 *       "actor": {
                 *         "type": "client",
                 *         "id": "client_01m7w4n5e0e0vbbhcpvg4zwf73",
                 *         "user_id": "user_01m7w4n5e0eymtkc82hvhg0xb9"
                 *       },
                 *       "data": {
                 *         "object": {
                 *           "id": "content_01m7w4n5e0fj29y8hnfp12qb0m",
                 *           "title": "Seven Ways to Count Leads",
                 *           "slug": "seven-ways-to-count-leads",
                 *           "type": "ebook",
                 *           "summary": "What a pipeline tells, and what it hides.",
                 *           "body_sha256": "a20eef3ee499cfe04e2a93c7336e6fc4cc9a15a004c0b5a0078d4ba2e77d4a8e",
                 *           "url": "https://www.example.com/ebooks/seven-ways-to-count-leads",
                 *           "language": "en",
                 *           "status": "draft",
                 *           "author_user_id": "user_01m7w4n5e0eymtkc82hvhg0xb9",
                 *           "tags": [
                 *             "pipeline"
                 *           ],
                 *           "metadata": {
                 *             "campaign": "autumn"
                 *           },
                 *           "published_at": null,
                 *           "archived_at": null,
                 *           "created_at": "2026-11-20T09:30:00.000Z",
                 *           "updated_at": "2026-11-22T08:00:00.000Z",
                 *           "version": 3
                 *         },
                 *         "changes": {
                 *           "status": {
                 *             "from": "published",
                 *             "to": "draft"
                 *           },
                 *           "published_at": {
                 *             "from": "2026-11-21T08:00:00.000Z",
                 *             "to": null
                 *           }
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["ContentUnpublishedEvent"];
            };
        };
        responses: {
            /** @description You don't want any more events. The service disables the webhook immediately. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description You have received the event. After any other answer, or none within 15 seconds, the service sends it again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    contentArchived: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The id of the event. It is the same in every attempt and every replay, so you can use it to ignore an event that
                 *     you have already seen.
                 * @example event_01m7w4n5e0e5w9fsgdq3y8x2ra
                 */
                "webhook-id": components["parameters"]["WebhookIdHeader"];
                /**
                 * @description When this attempt was sent, in seconds since 1970-01-01 UTC. Refuse a request whose timestamp is more than 5 minutes
                 *     away from your clock.
                 * @example 1795167000
                 */
                "webhook-timestamp": components["parameters"]["WebhookTimestampHeader"];
                /**
                 * @description One or more signatures with a space between them, each `v1,` and an HMAC-SHA256 in base64. At least one must match.
                 *     During a rotation there is one for each secret. `POST /webhooks` explains how to verify them.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": components["parameters"]["WebhookSignatureHeader"];
                /**
                 * @description The trace and the span of this attempt ([W3C Trace Context](https://www.w3.org/TR/trace-context/)), if the
                 *     service sends traces. Continue the trace if you use tracing; otherwise ignore it. The signature does not cover
                 *     it.
                 * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
                 */
                traceparent?: components["parameters"]["TraceparentHeader"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description The event. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "type": "content.archived",
                 *       "id": "event_01m7w4n5e0e5w9fsgdq3y8x2rq",
                 *       "occurred_at": "2026-12-31T16:45:00.000Z",
                 *       "environment": "production",
                 *       "request_id": "req-5f3c9a7e1b2d",
                 *       "actor": {
                 *         "type": "client",
                 *         "id": "client_01m7w4n5e0e0vbbhcpvg4zwf73",
                 *         "user_id": "user_01m7w4n5e0eymtkc82hvhg0xb9"
                 *       },
                 *       "data": {
                 *         "object": {
                 *           "id": "content_01m7w4n5e0fj29y8hnfp12qb0m",
                 *           "title": "Seven Ways to Count Leads",
                 *           "slug": "seven-ways-to-count-leads",
                 *           "type": "ebook",
                 *           "summary": "What a pipeline tells, and what it hides.",
                 *           "body_sha256": "a20eef3ee499cfe04e2a93c7336e6fc4cc9a15a004c0b5a0078d4ba2e77d4a8e",
                 *           "url": "https://www.example.com/ebooks/seven-ways-to-count-leads",
                 *           "language": "en",
                 *           "status": "archived",
                 *           "author_user_id": "user_01m7w4n5e0eymtkc82hvhg0xb9",
                 *           "tags": [
                 *             "pipeline"
                 *           ],
                 *           "metadata": {
                 *             "campaign": "autumn"
                 *           },
                 *           "published_at": "2026-11-21T08:00:00.000Z",
                 *           "archived_at": "2026-12-31T16:45:00.000Z",
                 *           "created_at": "2026-11-20T09:30:00.000Z",
                 *           "updated_at": "2026-12-31T16:45:00.000Z",
                 *           "version": 3
                 *         },
                 *         "changes": {
                 *           "status": {
                 *             "from": "published",
                 *             "to": "archived"
                 *           },
                 *           "archived_at": {
                 *             "from": null,
                 *             "to": "2026-12-31T16:45:00.000Z"
                 *           }
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["ContentArchivedEvent"];
            };
        };
        responses: {
            /** @description You don't want any more events. The service disables the webhook immediately. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description You have received the event. After any other answer, or none within 15 seconds, the service sends it again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    contentDeleted: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The id of the event. It is the same in every attempt and every replay, so you can use it to ignore an event that
                 *     you have already seen.
                 * @example event_01m7w4n5e0e5w9fsgdq3y8x2ra
                 */
                "webhook-id": components["parameters"]["WebhookIdHeader"];
                /**
                 * @description When this attempt was sent, in seconds since 1970-01-01 UTC. Refuse a request whose timestamp is more than 5 minutes
                 *     away from your clock.
                 * @example 1795167000
                 */
                "webhook-timestamp": components["parameters"]["WebhookTimestampHeader"];
                /**
                 * @description One or more signatures with a space between them, each `v1,` and an HMAC-SHA256 in base64. At least one must match.
                 *     During a rotation there is one for each secret. `POST /webhooks` explains how to verify them.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": components["parameters"]["WebhookSignatureHeader"];
                /**
                 * @description The trace and the span of this attempt ([W3C Trace Context](https://www.w3.org/TR/trace-context/)), if the
                 *     service sends traces. Continue the trace if you use tracing; otherwise ignore it. The signature does not cover
                 *     it.
                 * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
                 */
                traceparent?: components["parameters"]["TraceparentHeader"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description The event. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "type": "content.deleted",
                 *       "id": "event_01m7w4n5e0e5w9fsgdq3y8x2rr",
                 *       "occurred_at": "2027-01-15T12:00:00.000Z",
                 *       "environment": "production",
                 *       "request_id": "req-5f3c9a7e1b2d",
                 *       "actor": {
                 *         "type": "client",
                 *         "id": "client_01m7w4n5e0e0vbbhcpvg4zwf73",
                 *         "user_id": "user_01m7w4n5e0eymtkc82hvhg0xb9"
                 *       },
                 *       "data": {
                 *         "object": {
                 *           "id": "content_01m7w4n5e0fj29y8hnfp12qb0m"
                 *         },
                 *         "changes": {}
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["ContentDeletedEvent"];
            };
        };
        responses: {
            /** @description You don't want any more events. The service disables the webhook immediately. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description You have received the event. After any other answer, or none within 15 seconds, the service sends it again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    userCreated: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The id of the event. It is the same in every attempt and every replay, so you can use it to ignore an event that
                 *     you have already seen.
                 * @example event_01m7w4n5e0e5w9fsgdq3y8x2ra
                 */
                "webhook-id": components["parameters"]["WebhookIdHeader"];
                /**
                 * @description When this attempt was sent, in seconds since 1970-01-01 UTC. Refuse a request whose timestamp is more than 5 minutes
                 *     away from your clock.
                 * @example 1795167000
                 */
                "webhook-timestamp": components["parameters"]["WebhookTimestampHeader"];
                /**
                 * @description One or more signatures with a space between them, each `v1,` and an HMAC-SHA256 in base64. At least one must match.
                 *     During a rotation there is one for each secret. `POST /webhooks` explains how to verify them.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": components["parameters"]["WebhookSignatureHeader"];
                /**
                 * @description The trace and the span of this attempt ([W3C Trace Context](https://www.w3.org/TR/trace-context/)), if the
                 *     service sends traces. Continue the trace if you use tracing; otherwise ignore it. The signature does not cover
                 *     it.
                 * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
                 */
                traceparent?: components["parameters"]["TraceparentHeader"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description The event. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "type": "user.created",
                 *       "id": "event_01m7w4n5e0e5w9fsgdq3y8x2rs",
                 *       "occurred_at": "2026-11-20T09:30:00.000Z",
                 *       "environment": "production",
                 *       "request_id": "req-5f3c9a7e1b2d",
                 *       "actor": {
                 *         "type": "client",
                 *         "id": "client_01m7w4n5e0e0vbbhcpvg4zwf73",
                 *         "user_id": "user_01m7w4n5e0eymtkc82hvhg0xb9"
                 *       },
                 *       "data": {
                 *         "object": {
                 *           "id": "user_01m7w4n5e0eymtkc82hvhg0xb9",
                 *           "name": "Grace Hopper",
                 *           "email": "grace@example.com",
                 *           "active": true,
                 *           "external_id": "hr-1906",
                 *           "metadata": {
                 *             "team": "EMEA"
                 *           },
                 *           "created_at": "2026-11-20T09:30:00.000Z",
                 *           "updated_at": "2026-11-20T09:30:00.000Z",
                 *           "version": 1
                 *         },
                 *         "changes": {}
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["UserCreatedEvent"];
            };
        };
        responses: {
            /** @description You don't want any more events. The service disables the webhook immediately. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description You have received the event. After any other answer, or none within 15 seconds, the service sends it again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    userUpdated: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The id of the event. It is the same in every attempt and every replay, so you can use it to ignore an event that
                 *     you have already seen.
                 * @example event_01m7w4n5e0e5w9fsgdq3y8x2ra
                 */
                "webhook-id": components["parameters"]["WebhookIdHeader"];
                /**
                 * @description When this attempt was sent, in seconds since 1970-01-01 UTC. Refuse a request whose timestamp is more than 5 minutes
                 *     away from your clock.
                 * @example 1795167000
                 */
                "webhook-timestamp": components["parameters"]["WebhookTimestampHeader"];
                /**
                 * @description One or more signatures with a space between them, each `v1,` and an HMAC-SHA256 in base64. At least one must match.
                 *     During a rotation there is one for each secret. `POST /webhooks` explains how to verify them.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": components["parameters"]["WebhookSignatureHeader"];
                /**
                 * @description The trace and the span of this attempt ([W3C Trace Context](https://www.w3.org/TR/trace-context/)), if the
                 *     service sends traces. Continue the trace if you use tracing; otherwise ignore it. The signature does not cover
                 *     it.
                 * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
                 */
                traceparent?: components["parameters"]["TraceparentHeader"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description The event. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "type": "user.updated",
                 *       "id": "event_01m7w4n5e0e5w9fsgdq3y8x2rt",
                 *       "occurred_at": "2026-12-01T07:45:00.000Z",
                 *       "environment": "production",
                 *       "request_id": "req-5f3c9a7e1b2d",
                 *       "actor": {
                 *         "type": "client",
                 *         "id": "client_01m7w4n5e0e0vbbhcpvg4zwf73",
                 *         "user_id": "user_01m7w4n5e0eymtkc82hvhg0xb9"
                 *       },
                 *       "data": {
                 *         "object": {
                 *           "id": "user_01m7w4n5e0eymtkc82hvhg0xb9",
                 *           "name": "Grace Hopper",
                 *           "email": "grace@example.com",
                 *           "active": false,
                 *           "external_id": "hr-1906",
                 *           "metadata": {
                 *             "team": "EMEA"
                 *           },
                 *           "created_at": "2026-11-20T09:30:00.000Z",
                 *           "updated_at": "2026-12-01T07:45:00.000Z",
                 *           "version": 2
                 *         },
                 *         "changes": {
                 *           "active": {
                 *             "from": true,
                 *             "to": false
                 *           }
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["UserUpdatedEvent"];
            };
        };
        responses: {
            /** @description You don't want any more events. The service disables the webhook immediately. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description You have received the event. After any other answer, or none within 15 seconds, the service sends it again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    userDeleted: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The id of the event. It is the same in every attempt and every replay, so you can use it to ignore an event that
                 *     you have already seen.
                 * @example event_01m7w4n5e0e5w9fsgdq3y8x2ra
                 */
                "webhook-id": components["parameters"]["WebhookIdHeader"];
                /**
                 * @description When this attempt was sent, in seconds since 1970-01-01 UTC. Refuse a request whose timestamp is more than 5 minutes
                 *     away from your clock.
                 * @example 1795167000
                 */
                "webhook-timestamp": components["parameters"]["WebhookTimestampHeader"];
                /**
                 * @description One or more signatures with a space between them, each `v1,` and an HMAC-SHA256 in base64. At least one must match.
                 *     During a rotation there is one for each secret. `POST /webhooks` explains how to verify them.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": components["parameters"]["WebhookSignatureHeader"];
                /**
                 * @description The trace and the span of this attempt ([W3C Trace Context](https://www.w3.org/TR/trace-context/)), if the
                 *     service sends traces. Continue the trace if you use tracing; otherwise ignore it. The signature does not cover
                 *     it.
                 * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
                 */
                traceparent?: components["parameters"]["TraceparentHeader"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description The event. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "type": "user.deleted",
                 *       "id": "event_01m7w4n5e0e5w9fsgdq3y8x2rv",
                 *       "occurred_at": "2026-12-01T08:00:00.000Z",
                 *       "environment": "production",
                 *       "request_id": "req-5f3c9a7e1b2d",
                 *       "actor": {
                 *         "type": "client",
                 *         "id": "client_01m7w4n5e0e0vbbhcpvg4zwf73",
                 *         "user_id": "user_01m7w4n5e0eymtkc82hvhg0xb9"
                 *       },
                 *       "data": {
                 *         "object": {
                 *           "id": "user_01m7w4n5e0eymtkc82hvhg0xb9"
                 *         },
                 *         "changes": {}
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["UserDeletedEvent"];
            };
        };
        responses: {
            /** @description You don't want any more events. The service disables the webhook immediately. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description You have received the event. After any other answer, or none within 15 seconds, the service sends it again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    inboundRejected: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The id of the event. It is the same in every attempt and every replay, so you can use it to ignore an event that
                 *     you have already seen.
                 * @example event_01m7w4n5e0e5w9fsgdq3y8x2ra
                 */
                "webhook-id": components["parameters"]["WebhookIdHeader"];
                /**
                 * @description When this attempt was sent, in seconds since 1970-01-01 UTC. Refuse a request whose timestamp is more than 5 minutes
                 *     away from your clock.
                 * @example 1795167000
                 */
                "webhook-timestamp": components["parameters"]["WebhookTimestampHeader"];
                /**
                 * @description One or more signatures with a space between them, each `v1,` and an HMAC-SHA256 in base64. At least one must match.
                 *     During a rotation there is one for each secret. `POST /webhooks` explains how to verify them.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": components["parameters"]["WebhookSignatureHeader"];
                /**
                 * @description The trace and the span of this attempt ([W3C Trace Context](https://www.w3.org/TR/trace-context/)), if the
                 *     service sends traces. Continue the trace if you use tracing; otherwise ignore it. The signature does not cover
                 *     it.
                 * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
                 */
                traceparent?: components["parameters"]["TraceparentHeader"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description The event. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "type": "inbound.rejected",
                 *       "id": "event_01m7w4n5e0e5w9fsgdq3y8x2rw",
                 *       "occurred_at": "2026-11-23T11:11:11.111Z",
                 *       "environment": "production",
                 *       "request_id": "req-5f3c9a7e1b2d",
                 *       "actor": {
                 *         "type": "hook",
                 *         "id": "hook_01m7w4n5e0fsb8fz3v1cgq6c9t",
                 *         "user_id": null
                 *       },
                 *       "data": {
                 *         "object": {
                 *           "id": "hook_01m7w4n5e0fsb8fz3v1cgq6c9t",
                 *           "name": "Website form",
                 *           "delivery_id": "delivery_01m8428t47e1sr6n9gq2wc4x5y",
                 *           "errors": {
                 *             "email": [
                 *               "must be an email address"
                 *             ]
                 *           }
                 *         },
                 *         "changes": {}
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["InboundRejectedEvent"];
            };
        };
        responses: {
            /** @description You don't want any more events. The service disables the webhook immediately. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description You have received the event. After any other answer, or none within 15 seconds, the service sends it again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    webhookDisabled: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The id of the event. It is the same in every attempt and every replay, so you can use it to ignore an event that
                 *     you have already seen.
                 * @example event_01m7w4n5e0e5w9fsgdq3y8x2ra
                 */
                "webhook-id": components["parameters"]["WebhookIdHeader"];
                /**
                 * @description When this attempt was sent, in seconds since 1970-01-01 UTC. Refuse a request whose timestamp is more than 5 minutes
                 *     away from your clock.
                 * @example 1795167000
                 */
                "webhook-timestamp": components["parameters"]["WebhookTimestampHeader"];
                /**
                 * @description One or more signatures with a space between them, each `v1,` and an HMAC-SHA256 in base64. At least one must match.
                 *     During a rotation there is one for each secret. `POST /webhooks` explains how to verify them.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": components["parameters"]["WebhookSignatureHeader"];
                /**
                 * @description The trace and the span of this attempt ([W3C Trace Context](https://www.w3.org/TR/trace-context/)), if the
                 *     service sends traces. Continue the trace if you use tracing; otherwise ignore it. The signature does not cover
                 *     it.
                 * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
                 */
                traceparent?: components["parameters"]["TraceparentHeader"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description The event. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "type": "webhook.disabled",
                 *       "id": "event_01m7w4n5e0e5w9fsgdq3y8x2rx",
                 *       "occurred_at": "2026-11-27T18:00:00.000Z",
                 *       "environment": "production",
                 *       "request_id": "req-5f3c9a7e1b2d",
                 *       "actor": {
                 *         "type": "system",
                 *         "id": null,
                 *         "user_id": null
                 *       },
                 *       "data": {
                 *         "object": {
                 *           "id": "webhook_01m7w4n5e0e8wtm2d9nq5s7x3k",
                 *           "description": "Data warehouse",
                 *           "disabled_reason": "No success for 72 hours; the last answer was 500.",
                 *           "failing_since": "2026-11-24T17:59:00.000Z",
                 *           "last_success_at": "2026-11-24T17:58:12.000Z"
                 *         },
                 *         "changes": {}
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["WebhookDisabledEvent"];
            };
        };
        responses: {
            /** @description You don't want any more events. The service disables the webhook immediately. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description You have received the event. After any other answer, or none within 15 seconds, the service sends it again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    webhookTest: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The id of the event. It is the same in every attempt and every replay, so you can use it to ignore an event that
                 *     you have already seen.
                 * @example event_01m7w4n5e0e5w9fsgdq3y8x2ra
                 */
                "webhook-id": components["parameters"]["WebhookIdHeader"];
                /**
                 * @description When this attempt was sent, in seconds since 1970-01-01 UTC. Refuse a request whose timestamp is more than 5 minutes
                 *     away from your clock.
                 * @example 1795167000
                 */
                "webhook-timestamp": components["parameters"]["WebhookTimestampHeader"];
                /**
                 * @description One or more signatures with a space between them, each `v1,` and an HMAC-SHA256 in base64. At least one must match.
                 *     During a rotation there is one for each secret. `POST /webhooks` explains how to verify them.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": components["parameters"]["WebhookSignatureHeader"];
                /**
                 * @description The trace and the span of this attempt ([W3C Trace Context](https://www.w3.org/TR/trace-context/)), if the
                 *     service sends traces. Continue the trace if you use tracing; otherwise ignore it. The signature does not cover
                 *     it.
                 * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
                 */
                traceparent?: components["parameters"]["TraceparentHeader"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description The event. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "type": "webhook.test",
                 *       "id": "event_01m7w4n5e0e5w9fsgdq3y8x2ry",
                 *       "occurred_at": "2026-11-20T09:45:00.000Z",
                 *       "environment": "production",
                 *       "request_id": "req-5f3c9a7e1b2d",
                 *       "actor": {
                 *         "type": "client",
                 *         "id": "client_01m7w4n5e0e0vbbhcpvg4zwf73",
                 *         "user_id": "user_01m7w4n5e0eymtkc82hvhg0xb9"
                 *       },
                 *       "data": {
                 *         "object": {
                 *           "id": "webhook_01m7w4n5e0e8wtm2d9nq5s7x3k"
                 *         },
                 *         "changes": {}
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["WebhookTestEvent"];
            };
        };
        responses: {
            /** @description You don't want any more events. The service disables the webhook immediately. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description You have received the event. After any other answer, or none within 15 seconds, the service sends it again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}
