import type { Context, UserActor } from "@/server/core/context";
import type { Input, Output } from "@/server/core/contract";
import { createError, createInaccessibleError } from "@/server/core/errors";
import { formatText } from "@/server/core/texts";
import { toIsoMicros } from "@/server/core/time";
import { requireSignedReseller } from "@/server/domains/accounts/portals/service/access";
import { withLockedOwnAccount } from "@/server/domains/accounts/users/service/own-account";
import type { addCustomerNote, listCustomerNotes, removeCustomerNote } from "../contract";
import { NOTES_PER_CUSTOMER_MAX } from "../policy";
import { requireCustomer } from "./require-customer";

const NOTE_SELECT = { id: true, body: true, createdAt: true } as const;
const toNote = ({ id, body, createdAt }: { id: number; body: string; createdAt: Date }) => ({
  id,
  body,
  created_at: toIsoMicros(createdAt),
});

export async function listNotes(
  ctx: Context<UserActor>,
  { params }: Input<typeof listCustomerNotes>,
): Promise<Output<typeof listCustomerNotes>> {
  await requireCustomer(ctx, params.id);
  const notes = await ctx.db.customerNote.findMany({
    where: { resellerId: ctx.actor.id, customerId: params.id },
    orderBy: { id: "desc" },
    take: NOTES_PER_CUSTOMER_MAX,
    select: NOTE_SELECT,
  });
  return { success: true, notes: notes.map(toNote) };
}

export async function addNote(
  ctx: Context<UserActor>,
  { params, body }: Input<typeof addCustomerNote>,
): Promise<Output<typeof addCustomerNote>> {
  await requireCustomer(ctx, params.id);
  const ids = { resellerId: ctx.actor.id, customerId: params.id };
  // The lock on the caller's account makes the row limit exact.
  const note = await withLockedOwnAccount(ctx, async (tx) => {
    const count = await tx.db.customerNote.count({ where: ids });
    if (count >= NOTES_PER_CUSTOMER_MAX)
      throw createError("customer_notes_full", { params: { max: NOTES_PER_CUSTOMER_MAX } });
    return tx.db.customerNote.create({ data: { ...ids, body: body.body }, select: NOTE_SELECT });
  });
  return { success: true, message: formatText(ctx.locale, "responses.note_saved"), note: toNote(note) };
}

export async function removeNote(
  ctx: Context<UserActor>,
  { params: { id } }: Input<typeof removeCustomerNote>,
): Promise<Output<typeof removeCustomerNote>> {
  await requireSignedReseller(ctx);
  const { count } = await ctx.db.customerNote.deleteMany({ where: { id, resellerId: ctx.actor.id } });
  if (count === 0)
    throw createInaccessibleError(
      await ctx.db.customerNote.findUnique({ where: { id }, select: { id: true } }),
      "CustomerNote",
      id,
    );
  return { success: true, message: formatText(ctx.locale, "responses.note_removed") };
}
