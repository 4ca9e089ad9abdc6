"""A .pdf written by hand, so that no test needs another program to make one."""


def small_pdf(text: str, *, encrypted: bool = False) -> bytes:
    """One page with a line of Latin text."""
    drawn = text.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)").encode("cp1252")
    stream = b"BT /F1 12 Tf 20 100 Td (" + drawn + b") Tj ET"
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 200] /Contents 4 0 R"
        b" /Resources << /Font << /F1 5 0 R >> >> >>",
        b"<< /Length %d >>\nstream\n%b\nendstream" % (len(stream), stream),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
    ]
    data, places = b"%PDF-1.4\n", []
    for number, content in enumerate(objects, start=1):
        places.append(len(data))
        data += b"%d 0 obj\n%b\nendobj\n" % (number, content)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    lock = (
        b" /Encrypt << /Filter /Standard /V 1 /R 2 /P -4 /O <%b> /U <%b> >> /ID [<00> <00>]" % (b"41" * 32, b"42" * 32)
        if encrypted
        else b""
    )
    size = len(objects) + 1
    start = len(data)
    return (
        data
        + b"xref\n0 %d\n0000000000 65535 f \n" % size
        + table
        + b"trailer\n<< /Size %d /Root 1 0 R%b >>\nstartxref\n%d\n%%%%EOF\n" % (size, lock, start)
    )
