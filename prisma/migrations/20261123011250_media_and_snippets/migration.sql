-- CreateEnum
CREATE TYPE "MediaKind" AS ENUM ('image', 'video', 'audio', 'document');

-- CreateTable
CREATE TABLE "media_files" (
    "id" SERIAL NOT NULL,
    "user_id" INTEGER NOT NULL,
    "uploaded_by_id" INTEGER,
    "kind" "MediaKind" NOT NULL,
    "mime_type" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "name_folded" TEXT NOT NULL,
    "size" INTEGER NOT NULL,
    "sha256" BYTEA NOT NULL,
    "width" INTEGER,
    "height" INTEGER,
    "duration_ms" INTEGER,
    "file_key" TEXT NOT NULL,
    "preview_key" TEXT,
    "removing_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "media_files_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "media_usage" (
    "user_id" INTEGER NOT NULL,
    "bytes" BIGINT NOT NULL DEFAULT 0,
    "files" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "media_usage_pkey" PRIMARY KEY ("user_id")
);

-- CreateTable
CREATE TABLE "snippets" (
    "id" SERIAL NOT NULL,
    "user_id" INTEGER NOT NULL,
    "created_by_id" INTEGER,
    "title" TEXT NOT NULL,
    "shortcut" TEXT,
    "shortcut_key" TEXT,
    "body" TEXT NOT NULL,
    "search_text" TEXT NOT NULL,
    "media_file_id" INTEGER,
    "file_missing_at" TIMESTAMPTZ(3),
    "removing_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "snippets_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "media_files_file_key_key" ON "media_files"("file_key");

-- CreateIndex
CREATE UNIQUE INDEX "media_files_preview_key_key" ON "media_files"("preview_key");

-- CreateIndex
CREATE INDEX "media_files_user_id_id_idx" ON "media_files"("user_id", "id");

-- CreateIndex
CREATE INDEX "media_files_user_id_kind_id_idx" ON "media_files"("user_id", "kind", "id");

-- CreateIndex
CREATE INDEX "media_files_uploaded_by_id_idx" ON "media_files"("uploaded_by_id");

-- CreateIndex
CREATE INDEX "media_files_removing_at_idx" ON "media_files"("removing_at");

-- CreateIndex
CREATE UNIQUE INDEX "media_files_id_user_id_key" ON "media_files"("id", "user_id");

-- CreateIndex
CREATE INDEX "snippets_user_id_id_idx" ON "snippets"("user_id", "id");

-- CreateIndex
CREATE INDEX "snippets_media_file_id_idx" ON "snippets"("media_file_id");

-- CreateIndex
CREATE INDEX "snippets_created_by_id_idx" ON "snippets"("created_by_id");

-- CreateIndex
CREATE INDEX "snippets_removing_at_idx" ON "snippets"("removing_at");

-- CreateIndex
CREATE UNIQUE INDEX "snippets_user_id_shortcut_key_key" ON "snippets"("user_id", "shortcut_key");

-- AddForeignKey
ALTER TABLE "media_files" ADD CONSTRAINT "media_files_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "media_files" ADD CONSTRAINT "media_files_uploaded_by_id_fkey" FOREIGN KEY ("uploaded_by_id") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "media_usage" ADD CONSTRAINT "media_usage_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "snippets" ADD CONSTRAINT "snippets_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "snippets" ADD CONSTRAINT "snippets_created_by_id_fkey" FOREIGN KEY ("created_by_id") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
-- Only the file is emptied: the library of a snippet stays. Models cannot name columns here.
ALTER TABLE "snippets" ADD CONSTRAINT "snippets_media_file_id_user_id_fkey" FOREIGN KEY ("media_file_id", "user_id") REFERENCES "media_files"("id", "user_id") ON DELETE SET NULL ("media_file_id") ON UPDATE CASCADE;

-- What models cannot say
ALTER TABLE "media_files" ADD CONSTRAINT "media_files_size" CHECK ("size" BETWEEN 1 AND 104857600);
ALTER TABLE "media_files" ADD CONSTRAINT "media_files_picture" CHECK ("kind" <> 'image' OR ("width" > 0 AND "height" > 0));
ALTER TABLE "media_usage" ADD CONSTRAINT "media_usage_positive" CHECK ("bytes" >= 0 AND "files" >= 0);
