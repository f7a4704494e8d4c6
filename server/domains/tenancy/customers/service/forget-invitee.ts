import { emailKey } from "@/server/core/schema";
import type { Work } from "@/server/infrastructure/database/transaction";
import { lockImportsNaming } from "../statements";

interface Entry {
  name: string | null;
  email: string | null;
  phone: string | null;
}

/** Erases an address from pending invitations, and from imports with the name and phone number next to it. */
export async function forgetInvitee(tx: Pick<Work, "db" | "sql">, key: string): Promise<void> {
  await tx.db.invitation.deleteMany({ where: { emailKey: key } });
  await tx.db.customerInvitation.deleteMany({ where: { emailKey: key } });
  const isTheirs = (address: string | null) => address !== null && emailKey(address) === key;
  // A cell can contain several addresses, or a name and an address.
  const namesThem = (cell: string) => isTheirs(cell) || cell.split(/[\s,;:<>()[\]"']+/).some(isTheirs);
  for (const { id, rows, report } of await lockImportsNaming(tx, {
    text: key.slice(0, key.lastIndexOf("@") + 1),
  })) {
    const [columns = [], ...lines] = rows as string[][];
    const keptRows = lines.map((cells) =>
      // The last cell is the row number in the file; keep it.
      cells.some(namesThem) ? cells.map((cell, index) => (index < columns.length ? "" : cell)) : cells,
    );
    const keptReport = (report as Entry[]).map((entry) =>
      isTheirs(entry.email) ? { ...entry, name: null, email: null, phone: null } : entry,
    );
    await tx.db.customerImport.update({
      where: { id },
      data: { rows: [columns, ...keptRows], report: keptReport as object[] },
      select: { id: true },
    });
  }
}
