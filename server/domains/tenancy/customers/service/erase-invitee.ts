import { emailKey } from "@/server/core/schema";
import type { DbAccess } from "@/server/infrastructure/database/transaction";
import { lockImportsContaining } from "../statements";

interface Entry {
  name: string | null;
  email: string | null;
  phone: string | null;
}

/** Erases an address from pending invitations, and from imports with the name and phone number next to it. */
export async function eraseInvitee(tx: Pick<DbAccess, "db" | "sql">, key: string): Promise<void> {
  await tx.db.invitation.deleteMany({ where: { emailKey: key } });
  await tx.db.customerInvitation.deleteMany({ where: { emailKey: key } });
  const isAddress = (address: string | null) => address !== null && emailKey(address) === key;
  // A cell can contain several addresses, or a name and an address.
  const containsAddress = (cell: string) =>
    isAddress(cell) || cell.split(/[\s,;:<>()[\]"']+/).some(isAddress);
  for (const { id, rows, report } of await lockImportsContaining(tx, {
    text: key.slice(0, key.lastIndexOf("@") + 1),
  })) {
    const [columns = [], ...lines] = rows as string[][];
    const erasedRows = lines.map((cells) =>
      // The last cell is the row number in the file; keep it.
      cells.some(containsAddress) ? cells.map((cell, index) => (index < columns.length ? "" : cell)) : cells,
    );
    const erasedReport = (report as Entry[]).map((entry) =>
      isAddress(entry.email) ? { ...entry, name: null, email: null, phone: null } : entry,
    );
    await tx.db.customerImport.update({
      where: { id },
      data: { rows: [columns, ...erasedRows], report: erasedReport as object[] },
      select: { id: true },
    });
  }
}
