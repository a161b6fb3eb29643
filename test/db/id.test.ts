/** Ids are TypeIDs. The examples come from the TypeID specification. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyUuid, newUuid, toId, toUuid } from '../../src/values/id.ts';

describe('an id', () => {
  it.each([
    ['00000000000000000000000000', '00000000-0000-0000-0000-000000000000'],
    ['00000000000000000000000001', '00000000-0000-0000-0000-000000000001'],
    ['0000000000000000000000000a', '00000000-0000-0000-0000-00000000000a'],
    ['0000000000000000000000000g', '00000000-0000-0000-0000-000000000010'],
    ['00000000000000000000000010', '00000000-0000-0000-0000-000000000020'],
    ['7zzzzzzzzzzzzzzzzzzzzzzzzz', 'ffffffff-ffff-ffff-ffff-ffffffffffff'],
    ['0123456789abcdefghjkmnpqrs', '0110c853-1d09-52d8-d73e-1194e95b5f19'],
    ['01h455vb4pex5vsknk084sn02q', '01890a5d-ac96-774b-bcce-b302099a8057'],
  ])('%s is the UUID %s', (digits, uuid) => {
    expect(toId('lead', uuid)).toBe(`lead_${digits}`);
    expect(toUuid('lead', `lead_${digits}`)).toBe(uuid);
    expect(anyUuid(`lead_${digits}`)).toBe(uuid);
  });

  it('converts to a UUID and back', () => {
    fc.assert(
      fc.property(fc.uuid(), (uuid) => {
        expect(toUuid('contact', toId('contact', uuid))).toBe(uuid);
      }),
    );
  });

  it.each([
    ['of another kind', 'user_01h455vb4pex5vsknk084sn02q'],
    ['in capitals', 'lead_01H455VB4PEX5VSKNK084SN02Q'],
    ['with a letter that looks like a digit', 'lead_01h455vb4pex5vsknk084sno2q'],
    ['with a hyphen', 'lead_01h455vb4pex5vsknk084sn0-q'],
    ['with a character beyond ASCII', 'lead_01h455vb4pex5vsknk084sn0éq'],
    ['of more than 128 bits', 'lead_8zzzzzzzzzzzzzzzzzzzzzzzzz'],
    ['that is too short', 'lead_01h455vb4pex5vsknk084sn02'],
    ['that is too long', 'lead_01h455vb4pex5vsknk084sn02qq'],
    ['without a prefix', '01h455vb4pex5vsknk084sn02q'],
    ['without digits', 'lead_'],
    ['of two prefixes', 'lead_lead_01h455vb4pex5vsknk084sn02q'],
    ['that is a UUID', '01890a5d-ac96-774b-bcce-b302099a8057'],
  ])('%s is not an id: %s', (_, id) => {
    expect(toUuid('lead', id)).toBeUndefined();
  });

  it('is greater than earlier ids, also within a millisecond', () => {
    const uuids = Array.from({ length: 10_000 }, newUuid);
    expect(uuids).toEqual(uuids.toSorted());
    expect(new Set(uuids).size).toBe(uuids.length);
    expect(uuids[0]).toMatch(/^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
  });
});
