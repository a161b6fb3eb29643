// Generated from openapi/v1.yaml by `npm run generate`. Do not edit.

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
         * @description The OAuth 2.0 client credentials grant. `client_id` and `client_secret` are required in the body unless the
         *     client sends them by HTTP Basic. `scope` narrows the token; without it the token has every scope of the client.
         *     A missing field or another grant is a 422 for a JSON body and a 400 for a form. An unknown client and a wrong
         *     secret give the same answer.
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
         * Revoke a token
         * @description Revokes one of the client's own tokens (RFC 7009); within a second no process accepts it any more. The client
         *     shows its credentials as for a token, in the body or by HTTP Basic. An unknown token, an expired one and
         *     another client's token are answered 200 too and change nothing.
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
         * Show the calling client
         * @description Tells which client the credential belongs to, what it may do and until when. It needs no scope.
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
         * Show the public signing keys
         * @description The JSON Web Key Set (RFC 7517) that the environment's tokens are verified with.
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
         * @description Newest first unless `sort` says otherwise; the id breaks ties. Filters are ANDed. A comma-separated filter takes
         *     any of its values. A request with `search` counts in the rate-limit class `search` instead of `read`.
         */
        get: operations["listLeads"];
        put?: never;
        /**
         * Create a lead
         * @description Creates a lead and returns it in full. An email address belongs to one lead only, whatever its case: a second
         *     one is a 422 with the code `duplicate_email`, and `existing_id` if the caller may read leads.
         */
        post: operations["createLead"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/leads/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The lead's id. An id of another shape is answered like an unknown one, 404.
                 * @example lead_01m7w4n5e0e3tajy9kep34bze2
                 */
                id: components["parameters"]["LeadId"];
            };
            cookie?: never;
        };
        /**
         * Read a lead
         * @description Returns one lead. With `If-None-Match`, a lead that has not changed is answered 304 without a body.
         */
        get: operations["getLead"];
        put?: never;
        post?: never;
        /**
         * Delete a lead
         * @description Deletes the lead for good. A second delete is a 404.
         */
        delete: operations["deleteLead"];
        options?: never;
        head?: never;
        /**
         * Update a lead
         * @description A JSON Merge Patch (RFC 7396): an absent field stays, null clears it. A patch that changes nothing is answered
         *     200 with the same version. A lead may go from any status to any other; leaving `lost` clears `lost_reason`.
         */
        patch: operations["updateLead"];
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /**
         * @description One of the two environments.
         * @enum {string}
         */
        Environment: "production" | "sandbox";
        /**
         * Format: instant-or-date
         * @description An RFC 3339 instant or a date. A date stands for that whole UTC day.
         * @example 2026-11-20T09:30:00.000Z
         * @example 2026-11-20
         */
        InstantOrDate: string;
        /**
         * Format: email
         * @description An email address.
         * @example ada@example.com
         */
        Email: string;
        /** @description What went wrong. */
        Error: {
            /**
             * @description What went wrong, for people. The wording may change.
             * @example The request body is invalid.
             */
            message: string;
            /**
             * @description What went wrong, for programs. Codes are stable; new ones may come.
             * @example validation_failed
             */
            code: string;
            /**
             * @description The id of the request, as in `X-Request-Id`.
             * @example req-5f3c9a7e1b2d
             */
            request_id: string;
            /** @description The messages for each field, parameter or header, nested fields as `metadata.plan` or `tags.3`. */
            errors?: {
                [key: string]: string[];
            };
            /**
             * @description The id of the resource that already has this value, if the caller may read it.
             * @example lead_01m7w4n5e0ea9bcm473x5b9fx3
             */
            existing_id?: string;
            /**
             * @description The scope that the credential lacks.
             * @example leads:write
             */
            required_scope?: string;
            /**
             * @description On `/auth/*` only, RFC 6749's error code.
             * @example invalid_client
             */
            error?: string;
            /**
             * @description On `/auth/*` only, RFC 6749's description of the error.
             * @example Unknown API client
             * @example wrong secret
             * @example or the client is disabled in this environment.
             */
            error_description?: string;
        };
        /** @description Where this page lies in the list. */
        ListMeta: {
            /** @description The number of all results. */
            total: number;
            /** @description Results per page, as asked. */
            per_page: number;
            /** @description The number of this page. With `cursor` it counts on from where the walk began. */
            current_page: number;
            /** @description The number of the last page, at least 1. */
            last_page: number;
            /** @description Where the next page begins, to be sent as `cursor`; null on the last page. */
            next_cursor: string | null;
        };
        /** @description A request for a token. */
        TokenRequest: {
            /**
             * @description The grant.
             * @enum {string}
             */
            grant_type: "client_credentials";
            /** @description The client's id; required unless it comes by HTTP Basic. */
            client_id?: string;
            /** @description The client's secret; required unless it comes by HTTP Basic. */
            client_secret?: string;
            /** @description The scopes that the token shall have, separated by spaces; every scope of the client by default. */
            scope?: string;
        };
        /** @description As `TokenRequest`. Unknown parameters are ignored, as RFC 6749 wants it. */
        TokenForm: {
            /**
             * @description The grant.
             * @enum {string}
             */
            grant_type: "client_credentials";
            /** @description The client's id; required unless it comes by HTTP Basic. */
            client_id?: string;
            /** @description The client's secret; required unless it comes by HTTP Basic. */
            client_secret?: string;
            /** @description The scopes that the token shall have, separated by spaces; every scope of the client by default. */
            scope?: string;
        };
        /** @description A token, in the form of RFC 6749. */
        TokenResponse: {
            /** @description The bearer token, a JWT. */
            access_token: string;
            /**
             * @description How the token is sent.
             * @enum {string}
             */
            token_type: "Bearer";
            /**
             * @description Seconds of validity.
             * @example 3600
             */
            expires_in: number;
            /**
             * @description The token's scopes, separated by spaces.
             * @example read write
             */
            scope: string;
        };
        /** @description A request to revoke a token. */
        RevokeRequest: {
            /** @description The token to revoke. */
            token: string;
            /** @description What kind of token it is. There is one kind only, so this is ignored. */
            token_type_hint?: string;
            /** @description The client's id; required unless it comes by HTTP Basic. */
            client_id?: string;
            /** @description The client's secret; required unless it comes by HTTP Basic. */
            client_secret?: string;
        };
        /** @description As `RevokeRequest`. Unknown parameters are ignored, as RFC 6749 wants it. */
        RevokeForm: {
            /** @description The token to revoke. */
            token: string;
            /** @description What kind of token it is. There is one kind only, so this is ignored. */
            token_type_hint?: string;
            /** @description The client's id; required unless it comes by HTTP Basic. */
            client_id?: string;
            /** @description The client's secret; required unless it comes by HTTP Basic. */
            client_secret?: string;
        };
        /** @description Nothing; the status says it all. */
        RevokeResponse: Record<string, never>;
        /** @description The calling client, as its credential shows it. */
        CurrentClient: {
            /**
             * @description The client's id.
             * @example client_01m7w4n5e0e0vbbhcpvg4zwf73
             */
            client_id: string;
            /** @description The client's name. */
            name: string;
            environment: components["schemas"]["Environment"];
            /** @description The scopes of the credential. */
            scopes: string[];
            /**
             * @description What the request was authenticated with.
             * @enum {string}
             */
            credential: "token" | "api_key";
            /**
             * Format: date-time
             * @description When the credential expires; null if it does not.
             * @example 2026-11-20T10:30:00.000Z
             */
            expires_at: string | null;
        };
        /** @description The calling client. */
        CurrentClientResponse: {
            data: components["schemas"]["CurrentClient"];
        };
        /** @description A JSON Web Key Set (RFC 7517). */
        Jwks: {
            /** @description The public keys, the current one first. */
            keys: components["schemas"]["Jwk"][];
        };
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
            /** @description The public key, base64url. */
            x: string;
            /** @description The id of the key, as in a token's header. */
            kid: string;
            /**
             * @description The algorithm.
             * @enum {string}
             */
            alg: "EdDSA";
            /**
             * @description What the key is for.
             * @enum {string}
             */
            use: "sig";
        };
        /**
         * @description Where the lead is in the pipeline.
         * @enum {string}
         */
        LeadStatus: "new" | "contacted" | "qualified" | "won" | "lost";
        /**
         * @description Where the lead came from.
         * @enum {string}
         */
        LeadSource: "api" | "website" | "referral" | "manual";
        /** @description A lead. Every field is always present and null when it is empty. */
        Lead: {
            /**
             * @description The lead's id, made by the service.
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
             * @description The email address, unique among leads whatever its case.
             * @example ada@example.com
             */
            email: string;
            /**
             * @description The phone number in E.164 format.
             * @example +4915112345678
             */
            phone: string | null;
            status: components["schemas"]["LeadStatus"];
            source: components["schemas"]["LeadSource"];
            /**
             * @description The company or organisation.
             * @example Analytical Engines
             */
            company: string | null;
            /**
             * @description Tags for categorisation.
             * @example [
             *       "vip"
             *     ]
             */
            tags: string[];
            /**
             * @description The user whom the lead is assigned to.
             * @example user_01m7w4n5e0eymtkc82hvhg0xb9
             */
            assigned_user_id: string | null;
            /**
             * @description The content that the lead came from, its first touch.
             * @example content_01m7w4n5e0fj29y8hnfp12qb0m
             */
            content_id: string | null;
            /**
             * @description The contact that the lead was converted to.
             * @example contact_01m7w4n5e0fymt8j463c8gepsz
             */
            contact_id: string | null;
            /**
             * @description The id of the lead in another system, unique among leads.
             * @example crm-4711
             */
            external_id: string | null;
            /**
             * @description Why the lead was lost; only with the status `lost`.
             * @example No budget this year
             */
            lost_reason: string | null;
            /**
             * @description The client's own texts by name.
             * @example {
             *       "plan": "enterprise"
             *     }
             */
            metadata: {
                [key: string]: string;
            };
            /**
             * Format: date-time
             * @description When the lead entered its status.
             * @example 2026-11-20T09:30:00.000Z
             */
            status_changed_at: string;
            /**
             * Format: date-time
             * @description When the lead was created.
             * @example 2026-11-20T09:30:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When the lead was last changed.
             * @example 2026-11-20T09:30:00.000Z
             */
            updated_at: string;
            /**
             * @description Counts the changes, from 1. In quotes it is the `ETag`.
             * @example 3
             */
            version: number;
        };
        /** @description One lead. */
        LeadResponse: {
            data: components["schemas"]["Lead"];
        };
        /** @description One page of leads. */
        LeadListResponse: {
            /** @description The leads of this page. */
            data: components["schemas"]["Lead"][];
            meta: components["schemas"]["ListMeta"];
        };
        /** @description A new lead. */
        CreateLead: {
            /**
             * @description The full name.
             * @example Ada Lovelace
             */
            name: string;
            email: components["schemas"]["Email"];
            /** @default new */
            status?: components["schemas"]["LeadStatus"];
            /** @default api */
            source?: components["schemas"]["LeadSource"];
            /**
             * @description The phone number in E.164 format.
             * @example +4915112345678
             */
            phone?: string | null;
            /**
             * @description The company or organisation.
             * @example Analytical Engines
             */
            company?: string | null;
            /**
             * @description The active user whom the lead is assigned to.
             * @example user_01m7w4n5e0eymtkc82hvhg0xb9
             */
            assigned_user_id?: string | null;
            /**
             * @description The content that the lead came from, its first touch.
             * @example content_01m7w4n5e0fj29y8hnfp12qb0m
             */
            content_id?: string | null;
            /**
             * @description The id of the lead in another system, unique among leads.
             * @example crm-4711
             */
            external_id?: string | null;
            /**
             * @description Why the lead was lost; only with the status `lost`.
             * @example No budget this year
             */
            lost_reason?: string | null;
            /**
             * @description Tags for categorisation, repeats dropped.
             * @default []
             * @example [
             *       "vip"
             *     ]
             */
            tags?: string[];
            /**
             * @description The client's own texts by name.
             * @default {}
             * @example {
             *       "plan": "enterprise"
             *     }
             */
            metadata?: {
                [key: string]: string;
            };
        };
        /** @description A JSON Merge Patch of a lead. An absent field stays, null clears it. */
        UpdateLead: {
            /**
             * @description The full name.
             * @example Ada Lovelace
             */
            name?: string;
            email?: components["schemas"]["Email"];
            status?: components["schemas"]["LeadStatus"];
            source?: components["schemas"]["LeadSource"];
            /**
             * @description The phone number in E.164 format.
             * @example +4915112345678
             */
            phone?: string | null;
            /**
             * @description The company or organisation.
             * @example Analytical Engines
             */
            company?: string | null;
            /**
             * @description The active user whom the lead is assigned to.
             * @example user_01m7w4n5e0eymtkc82hvhg0xb9
             */
            assigned_user_id?: string | null;
            /**
             * @description The content that the lead came from, its first touch.
             * @example content_01m7w4n5e0fj29y8hnfp12qb0m
             */
            content_id?: string | null;
            /**
             * @description The id of the lead in another system, unique among leads.
             * @example crm-4711
             */
            external_id?: string | null;
            /**
             * @description Why the lead was lost; only with the status `lost`.
             * @example No budget this year
             */
            lost_reason?: string | null;
            /**
             * @description All tags, repeats dropped; they replace the old ones, and null removes them.
             * @example [
             *       "vip"
             *     ]
             */
            tags?: string[] | null;
            /**
             * @description Texts to set, merged with those that are there; a null removes that text, and null instead of the object
             *     removes all. At most 50 may be left.
             * @example {
             *       "plan": null
             *     }
             */
            metadata?: {
                [key: string]: string | null;
            } | null;
        };
    };
    responses: {
        /** @description The resource is still the version of `If-None-Match`. No body. */
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
        /**
         * @description The body is no JSON or no object, or a query parameter, header or cursor is invalid; on `/auth/*` also a form
         *     that lacks a field or asks for another grant.
         */
        BadRequest: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "X-Environment": components["headers"]["XEnvironment"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /**
         * @description The credential is missing or not valid: `token_missing`, `token_invalid`, `token_expired` or `token_revoked`; for
         *     a client's own credentials on `/auth/token` and `/auth/revoke` `invalid_client`.
         */
        Unauthorized: {
            headers: {
                "WWW-Authenticate": components["headers"]["WwwAuthenticate"];
                "X-Request-Id": components["headers"]["XRequestId"];
                "X-Environment": components["headers"]["XEnvironment"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /**
         * @description The credential is valid but lacks the scope that the operation needs (`insufficient_scope`), or the request came
         *     over plain HTTP (`https_required`).
         */
        Forbidden: {
            headers: {
                "WWW-Authenticate": components["headers"]["WwwAuthenticate"];
                "X-Request-Id": components["headers"]["XRequestId"];
                "X-Environment": components["headers"]["XEnvironment"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description There is no such resource. */
        NotFound: {
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
                 *       "message": "The lead does not exist.",
                 *       "code": "not_found",
                 *       "request_id": "req-5f3c9a7e1b2d"
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The client does not accept JSON. */
        NotAcceptable: {
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
                 *       "message": "The response is application/json, which the Accept header excludes.",
                 *       "code": "not_acceptable",
                 *       "request_id": "req-5f3c9a7e1b2d"
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The resource has changed since the version of `If-Match`. Nothing was done. */
        PreconditionFailed: {
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
                 *       "message": "The lead has changed since it was read. Read it again and repeat the change.",
                 *       "code": "version_mismatch",
                 *       "request_id": "req-5f3c9a7e1b2d"
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The body has more than 256 KiB. */
        PayloadTooLarge: {
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
                 *       "message": "The body is larger than 262144 bytes.",
                 *       "code": "body_too_large",
                 *       "request_id": "req-5f3c9a7e1b2d"
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The URL has more than 8 KiB. */
        UriTooLong: {
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
                 *       "message": "The URL is longer than 8192 bytes.",
                 *       "code": "uri_too_long",
                 *       "request_id": "req-5f3c9a7e1b2d"
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The body's media type is not one of the operation's, or it has an unknown encoding. */
        UnsupportedMediaType: {
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
                 *       "message": "The media type text/plain is not supported. Send application/json.",
                 *       "code": "unsupported_media_type",
                 *       "request_id": "req-5f3c9a7e1b2d"
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The body is JSON, but a field or a rule fails. `errors` says which and why. */
        ValidationFailed: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "X-Environment": components["headers"]["XEnvironment"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The quota is used up. Wait as long as `Retry-After` says. */
        TooManyRequests: {
            headers: {
                "Retry-After": components["headers"]["RetryAfter"];
                "X-Request-Id": components["headers"]["XRequestId"];
                "X-Environment": components["headers"]["XEnvironment"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "message": "Too many requests. Try again in 17 seconds.",
                 *       "code": "rate_limited",
                 *       "request_id": "req-5f3c9a7e1b2d"
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Something unexpected went wrong. Support finds it by the `request_id`. */
        InternalServerError: {
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
                 *       "message": "Something went wrong on our side.",
                 *       "code": "internal_error",
                 *       "request_id": "req-5f3c9a7e1b2d"
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The service can't answer for a moment. Wait as long as `Retry-After` says. */
        ServiceUnavailable: {
            headers: {
                "Retry-After": components["headers"]["RetryAfter"];
                "X-Request-Id": components["headers"]["XRequestId"];
                "X-Environment": components["headers"]["XEnvironment"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "message": "The service is not available at the moment. Try again in 5 seconds.",
                 *       "code": "unavailable",
                 *       "request_id": "req-5f3c9a7e1b2d"
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
    };
    parameters: {
        /**
         * @description The page to show, 1 by default. Together with `cursor` it is refused.
         * @example 1
         */
        Page: number;
        /**
         * @description Results per page.
         * @example 20
         */
        PerPage: number;
        /**
         * @description The `meta.next_cursor` of the page before: continues where that page ended, in the same order. Send the same
         *     filters and `sort` with it, and no `page`.
         * @example eyJhZnRlciI6WyIyMDI2LTExLTIwVDA5OjMwOjAwLjAwMFoiXX0
         */
        Cursor: string;
        /**
         * @description The lead's id. An id of another shape is answered like an unknown one, 404.
         * @example lead_01m7w4n5e0e3tajy9kep34bze2
         */
        LeadId: string;
        /**
         * @description The `ETag` that was read. If the resource has changed since, nothing is done and the answer is 412.
         * @example "3"
         */
        IfMatch: string;
        /**
         * @description The `ETag` that is already known. If it is still the current one, the answer is 304.
         * @example "3"
         */
        IfNoneMatch: string;
        /**
         * @description Any unique text of the client's, such as a UUID, kept 24 hours for each client. The same request under the same
         *     key gets the stored answer and is not done again; another request under the same key is a 422 with the code
         *     `idempotency_key_reused`. Errors are not stored.
         * @example 6f1c1c1e-58a4-4d0e-9a39-7b6a2d0c7f11
         */
        IdempotencyKey: string;
    };
    requestBodies: never;
    headers: {
        /**
         * @description The id of this request, as sent by the client or made by the service.
         * @example req-5f3c9a7e1b2d
         */
        XRequestId: string;
        /**
         * @description The environment that answered.
         * @example production
         */
        XEnvironment: components["schemas"]["Environment"];
        /**
         * @description What is left of the quota, and the seconds until it is full again.
         * @example "read";r=1199;t=60
         */
        RateLimit: string;
        /**
         * @description The quota and its window in seconds.
         * @example "read";q=1200;w=60
         */
        RateLimitPolicy: string;
        /**
         * @description Seconds to wait before the next attempt.
         * @example 17
         */
        RetryAfter: number;
        /**
         * @description The kind of credential that is expected, and for a 403 the scope that is missing.
         * @example Bearer error="invalid_token"
         */
        WwwAuthenticate: string;
        /**
         * @description The version of the resource, in quotes.
         * @example "3"
         */
        ETag: string;
        /**
         * @description The address of the new resource.
         * @example /v1/leads/lead_01m7w4n5e0e3tajy9kep34bze2
         */
        Location: string;
        /**
         * @description The addresses of the `first`, `prev`, `next` and `last` page (RFC 8288), as far as there are such pages.
         * @example </v1/leads?page=1>; rel="first", </v1/leads?page=2>; rel="next", </v1/leads?page=5>; rel="last"
         */
        Link: string;
        /**
         * @description `true` if this is the stored answer to an earlier request under the same `Idempotency-Key`.
         * @example true
         */
        IdempotencyReplayed: "true";
        /**
         * @description The answer must not be stored.
         * @example no-store
         */
        NoStore: string;
        /**
         * @description How long the answer may be kept, in seconds.
         * @example public, max-age=300
         */
        PublicCache: string;
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
        /** @description The client's credentials, as JSON or as a form. */
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
                "application/x-www-form-urlencoded": components["schemas"]["TokenForm"];
            };
        };
        responses: {
            /** @description A token. */
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
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["UriTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
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
        /** @description The token, with the client's credentials unless they come by HTTP Basic. */
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
                "application/x-www-form-urlencoded": components["schemas"]["RevokeForm"];
            };
        };
        responses: {
            /** @description The token is not valid, or no longer. */
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
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["UriTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
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
            /** @description The calling client. */
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
                     *         "environment": "production",
                     *         "scopes": [
                     *           "read",
                     *           "write"
                     *         ],
                     *         "credential": "token",
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
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["TooManyRequests"];
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
            /** @description The keys. After a rotation the old one stays until its last token has expired. */
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
            406: components["responses"]["NotAcceptable"];
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listLeads: {
        parameters: {
            query?: {
                /**
                 * @description The page to show, 1 by default. Together with `cursor` it is refused.
                 * @example 1
                 */
                page?: components["parameters"]["Page"];
                /**
                 * @description Results per page.
                 * @example 20
                 */
                per_page?: components["parameters"]["PerPage"];
                /**
                 * @description The `meta.next_cursor` of the page before: continues where that page ended, in the same order. Send the same
                 *     filters and `sort` with it, and no `page`.
                 * @example eyJhZnRlciI6WyIyMDI2LTExLTIwVDA5OjMwOjAwLjAwMFoiXX0
                 */
                cursor?: components["parameters"]["Cursor"];
                /**
                 * @description Leads with any of these statuses, comma-separated.
                 * @example [
                 *       "new",
                 *       "contacted"
                 *     ]
                 */
                status?: components["schemas"]["LeadStatus"][];
                /**
                 * @description Leads from any of these sources, comma-separated.
                 * @example [
                 *       "website"
                 *     ]
                 */
                source?: components["schemas"]["LeadSource"][];
                /**
                 * @description Leads with any of these tags, comma-separated. A tag that contains a comma can't be asked for.
                 * @example [
                 *       "vip"
                 *     ]
                 */
                tag?: string[];
                /**
                 * @description Full-text search across name, email and company. All words must be found, each as the beginning of a word,
                 *     whatever its case and accents. A request with `search` counts in the rate-limit class `search`.
                 * @example ada acme
                 */
                search?: string;
                /**
                 * @description Created at this moment or later. An RFC 3339 instant or a date; both ends are inclusive.
                 * @example 2026-11-01
                 */
                created_from?: components["schemas"]["InstantOrDate"];
                /**
                 * @description Created at this moment or earlier. An RFC 3339 instant or a date; both ends are inclusive.
                 * @example 2026-11-30
                 */
                created_to?: components["schemas"]["InstantOrDate"];
                /**
                 * @description Last changed at this moment or later. An RFC 3339 instant or a date; both ends are inclusive.
                 * @example 2026-11-20T09:30:00.000Z
                 */
                updated_from?: components["schemas"]["InstantOrDate"];
                /**
                 * @description Last changed at this moment or earlier. An RFC 3339 instant or a date; both ends are inclusive.
                 * @example 2026-11-20T18:00:00+01:00
                 */
                updated_to?: components["schemas"]["InstantOrDate"];
                /**
                 * @description Leads that have ever entered this status or a later one of `new`, `contacted`, `qualified`, `won`. `lost`
                 *     stands for itself alone.
                 * @example qualified
                 */
                reached?: components["schemas"]["LeadStatus"];
                /**
                 * @description Entered the status that `reached` names at this moment or later. An RFC 3339 instant or a date; both ends are inclusive.
                 * @example 2026-11-01
                 */
                reached_from?: components["schemas"]["InstantOrDate"];
                /**
                 * @description Entered the status that `reached` names at this moment or earlier. An RFC 3339 instant or a date; both ends are inclusive.
                 * @example 2026-11-30
                 */
                reached_to?: components["schemas"]["InstantOrDate"];
                /**
                 * @description Leads assigned to this user, or `none` for leads without an assignee.
                 * @example user_01m7w4n5e0eymtkc82hvhg0xb9
                 */
                assigned_user_id?: string;
                /**
                 * @description Leads whose first touch was this content, or `none` for leads without one.
                 * @example content_01m7w4n5e0fj29y8hnfp12qb0m
                 */
                content_id?: string;
                /**
                 * @description Leads of this contact, or `none` for leads without one.
                 * @example none
                 */
                contact_id?: string;
                /**
                 * @description The lead with this email address, whatever its case.
                 * @example ada@example.com
                 */
                email?: components["schemas"]["Email"];
                /**
                 * @description The lead with this external id.
                 * @example crm-4711
                 */
                external_id?: string;
                /**
                 * @description The field to order by, descending with a leading `-`.
                 * @example -updated_at
                 */
                sort?: "created_at" | "-created_at" | "updated_at" | "-updated_at" | "status_changed_at" | "-status_changed_at" | "name" | "-name";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of leads. A page past the end is empty. */
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
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "lead_01m7w4n5e0e3tajy9kep34bze2",
                     *           "name": "Ada Lovelace",
                     *           "email": "ada@example.com",
                     *           "phone": "+4915112345678",
                     *           "status": "new",
                     *           "source": "website",
                     *           "company": "Analytical Engines",
                     *           "tags": [
                     *             "vip",
                     *             "newsletter"
                     *           ],
                     *           "assigned_user_id": "user_01m7w4n5e0eymtkc82hvhg0xb9",
                     *           "content_id": null,
                     *           "contact_id": null,
                     *           "external_id": "crm-4711",
                     *           "lost_reason": null,
                     *           "metadata": {
                     *             "plan": "enterprise"
                     *           },
                     *           "status_changed_at": "2026-11-20T09:30:00.000Z",
                     *           "created_at": "2026-11-20T09:30:00.000Z",
                     *           "updated_at": "2026-11-20T09:30:00.000Z",
                     *           "version": 1
                     *         }
                     *       ],
                     *       "meta": {
                     *         "total": 1,
                     *         "per_page": 20,
                     *         "current_page": 1,
                     *         "last_page": 1,
                     *         "next_cursor": null
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["LeadListResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createLead: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Any unique text of the client's, such as a UUID, kept 24 hours for each client. The same request under the same
                 *     key gets the stored answer and is not done again; another request under the same key is a 422 with the code
                 *     `idempotency_key_reused`. Errors are not stored.
                 * @example 6f1c1c1e-58a4-4d0e-9a39-7b6a2d0c7f11
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
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
                     *         "id": "lead_01m7w4n5e0e3tajy9kep34bze2",
                     *         "name": "Ada Lovelace",
                     *         "email": "ada@example.com",
                     *         "phone": "+4915112345678",
                     *         "status": "new",
                     *         "source": "website",
                     *         "company": "Analytical Engines",
                     *         "tags": [
                     *           "vip",
                     *           "newsletter"
                     *         ],
                     *         "assigned_user_id": "user_01m7w4n5e0eymtkc82hvhg0xb9",
                     *         "content_id": null,
                     *         "contact_id": null,
                     *         "external_id": "crm-4711",
                     *         "lost_reason": null,
                     *         "metadata": {
                     *           "plan": "enterprise"
                     *         },
                     *         "status_changed_at": "2026-11-20T09:30:00.000Z",
                     *         "created_at": "2026-11-20T09:30:00.000Z",
                     *         "updated_at": "2026-11-20T09:30:00.000Z",
                     *         "version": 1
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["LeadResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["UriTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getLead: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` that is already known. If it is still the current one, the answer is 304.
                 * @example "3"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description The lead's id. An id of another shape is answered like an unknown one, 404.
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
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "lead_01m7w4n5e0e3tajy9kep34bze2",
                     *         "name": "Ada Lovelace",
                     *         "email": "ada@example.com",
                     *         "phone": "+4915112345678",
                     *         "status": "new",
                     *         "source": "website",
                     *         "company": "Analytical Engines",
                     *         "tags": [
                     *           "vip",
                     *           "newsletter"
                     *         ],
                     *         "assigned_user_id": "user_01m7w4n5e0eymtkc82hvhg0xb9",
                     *         "content_id": null,
                     *         "contact_id": null,
                     *         "external_id": "crm-4711",
                     *         "lost_reason": null,
                     *         "metadata": {
                     *           "plan": "enterprise"
                     *         },
                     *         "status_changed_at": "2026-11-20T09:30:00.000Z",
                     *         "created_at": "2026-11-20T09:30:00.000Z",
                     *         "updated_at": "2026-11-20T09:30:00.000Z",
                     *         "version": 1
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["LeadResponse"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteLead: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` that was read. If the resource has changed since, nothing is done and the answer is 412.
                 * @example "3"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /**
                 * @description The lead's id. An id of another shape is answered like an unknown one, 404.
                 * @example lead_01m7w4n5e0e3tajy9kep34bze2
                 */
                id: components["parameters"]["LeadId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The lead is gone. */
            204: {
                headers: {
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
            412: components["responses"]["PreconditionFailed"];
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    updateLead: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Any unique text of the client's, such as a UUID, kept 24 hours for each client. The same request under the same
                 *     key gets the stored answer and is not done again; another request under the same key is a 422 with the code
                 *     `idempotency_key_reused`. Errors are not stored.
                 * @example 6f1c1c1e-58a4-4d0e-9a39-7b6a2d0c7f11
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /**
                 * @description The `ETag` that was read. If the resource has changed since, nothing is done and the answer is 412.
                 * @example "3"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /**
                 * @description The lead's id. An id of another shape is answered like an unknown one, 404.
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
                     *         "id": "lead_01m7w4n5e0e3tajy9kep34bze2",
                     *         "name": "Ada Lovelace",
                     *         "email": "ada@example.com",
                     *         "phone": "+4915112345678",
                     *         "status": "new",
                     *         "source": "website",
                     *         "company": "Analytical Engines",
                     *         "tags": [
                     *           "vip",
                     *           "newsletter"
                     *         ],
                     *         "assigned_user_id": "user_01m7w4n5e0eymtkc82hvhg0xb9",
                     *         "content_id": null,
                     *         "contact_id": null,
                     *         "external_id": "crm-4711",
                     *         "lost_reason": null,
                     *         "metadata": {
                     *           "plan": "enterprise"
                     *         },
                     *         "status_changed_at": "2026-11-20T09:30:00.000Z",
                     *         "created_at": "2026-11-20T09:30:00.000Z",
                     *         "updated_at": "2026-11-20T09:30:00.000Z",
                     *         "version": 1
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["LeadResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["UriTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
}
