import { type RequestHandler, Router } from 'express';
import type { Document } from './contract.ts';

/** The contract for people and generators, at the origin. */
export function serveDocuments(_document: Document, _publicUrl: string): RequestHandler {
  return Router();
}
