-- AlterTable
ALTER TABLE "sites" ADD COLUMN     "search_text" TEXT;

-- Names sort as Turkish readers expect (C before Ç, I and ı before İ and i), and "Branch 9" before "Branch 10".
CREATE COLLATION "names" (provider = icu, locale = 'tr-u-kn-true');
ALTER TABLE "sites" ALTER COLUMN "name" SET DATA TYPE TEXT COLLATE "names";

-- CreateIndex
CREATE INDEX "sites_name_id_idx" ON "sites"("name", "id");

-- Parts of words are found by their trigrams. The extension is trusted: whoever owns the database may create it.
CREATE EXTENSION IF NOT EXISTS pg_trgm;
CREATE INDEX "sites_search_text_idx" ON "sites" USING gin ("search_text" gin_trgm_ops);

-- Rows that the job `fold_sites` has yet to fold: a handful, so that looking for them costs nothing.
CREATE INDEX "sites_unfolded_idx" ON "sites"("id") WHERE "search_text" IS NULL;
