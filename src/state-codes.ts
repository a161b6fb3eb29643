/** Codes of errors because of the state of what the request is about. */
export const stateCodes = {
  user_in_use: {
    status: 422,
    cause: 'The user still has leads, contacts, content or inbound hooks.',
    remedy:
      'Deactivate the user with `{"active": false}`, or assign the work to somebody else first with `POST /users/{id}/reassign`.',
  },
  content_in_use: {
    status: 422,
    cause: 'Leads or inbound hooks still name this piece of content.',
    remedy: 'Archive it with `POST /content/{id}/archive`.',
  },
  lead_lost: {
    status: 422,
    cause: 'The lead is lost, so it cannot be converted.',
    remedy: 'Change its status first.',
  },
  already_converted: {
    status: 422,
    cause: 'The lead was already converted to another contact.',
    remedy: 'Use the contact that the lead names in `contact_id`.',
  },
  already_seeded: {
    status: 422,
    cause: 'The sandbox already contains the data of this seed.',
    remedy: 'Reset the sandbox, or choose another seed.',
  },
  webhook_limit_reached: {
    status: 422,
    cause: 'This environment already has 20 webhooks.',
    remedy: 'Delete one that you no longer need.',
  },
  inbound_hook_limit_reached: {
    status: 422,
    cause: 'This environment already has 100 inbound hooks.',
    remedy: 'Delete one that you no longer need.',
  },
  webhook_not_enabled: {
    status: 422,
    cause: 'The webhook is paused or disabled.',
    remedy: 'Enable it with `PATCH {"status": "enabled"}`.',
  },
  replay_running: {
    status: 422,
    cause: 'A replay of this webhook is still running.',
    remedy: 'Wait until it has finished, or cancel it.',
  },
  wrong_replay_status: {
    status: 422,
    cause: "The replay can't be cancelled, because it has completed.",
    remedy: 'Read the replay. To stop its deliveries, pause the webhook.',
  },
  payload_erased: {
    status: 422,
    cause: 'The data of the delivery, or of a row of an import, was erased with a person or to make room.',
    remedy: 'Ask the sender to send it again.',
  },
  invalid_file: {
    status: 422,
    cause:
      "No row of the file of an import can be read. `errors` names the first rows that are wrong. In the errors of an import: this row can't be read.",
    remedy:
      'Correct the rows, or save the file as CSV in UTF-8. Of such a file, nothing is imported; a single such row fails alone.',
  },
  wrong_import_status: {
    status: 422,
    cause: "The import can't be started or cancelled in its status.",
    remedy: 'Read the import. Send the file again for another import.',
  },
  wrong_job_status: {
    status: 422,
    cause: 'The bulk job has already completed or failed, so it cannot be cancelled.',
    remedy: 'Read the job. Create another one to undo it.',
  },
} as const;
