// A picture as Telegram takes it: a JPEG of 1280 pixels at most, here in base64.
const LONGEST = 1280;

export async function pictureText(file: File): Promise<string> {
  const image = await createImageBitmap(file).catch(() => {
    throw new Error("This file is no picture that the browser can read.");
  });
  const scale = Math.min(1, LONGEST / Math.max(image.width, image.height));
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(1, Math.round(image.width * scale));
  canvas.height = Math.max(1, Math.round(image.height * scale));
  const drawing = canvas.getContext("2d");
  if (drawing) {
    drawing.fillStyle = "white"; // a JPEG has no transparent places: they would be black
    drawing.fillRect(0, 0, canvas.width, canvas.height);
    drawing.drawImage(image, 0, 0, canvas.width, canvas.height);
  }
  image.close();
  const address = canvas.toDataURL("image/jpeg", 0.8);
  return address.slice(address.indexOf(",") + 1);
}
