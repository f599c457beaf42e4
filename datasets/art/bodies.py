"""The bodies of the five species, drawn around the joint where a head sits.

The joint is the origin. Every body ends there in a stump that lies inside a circle of radius 62;
every head covers a circle of radius 72, so any head closes any body without a gap. Bodies face
left, the y axis points down.
"""

from datasets.art.palette import (
    BLUE,
    BLUE_DARK,
    BLUE_PALE,
    CLAW,
    COAL,
    COAL_DARK,
    COAL_LIGHT,
    COAL_PALE,
    GREEN,
    GREEN_DARK,
    GREEN_PALE,
    HOOF,
    MANE,
    PATCH,
    SAND,
    SAND_DARK,
    SAND_PALE,
    YELLOW,
    YELLOW_DARK,
    YELLOW_PALE,
)
from datasets.art.svg import Box, Part, Shape, circle, ellipse, flat, inked, polygon, stroke, tube


def crocodile_body() -> Part:
    """Low and long, a row of scutes on the back, the tail curled up."""
    torso = (
        "M-34 -60C40 -92 170 -96 268 -66C340 -44 392 -62 412 -122C424 -160 414 -196 384 -222"
        "C462 -232 520 -160 506 -66C492 30 400 78 300 92C200 108 60 108 -20 84"
        "C-74 62 -78 -38 -34 -60Z"
    )
    scutes = [
        inked(polygon([(x - 30, y + 4), (x + 4, y - 46), (x + 36, y + 6)]), GREEN_DARK)
        for x, y in ((76, -80), (140, -84), (204, -80), (266, -62))
    ]
    spikes = [
        inked(polygon([(474, -186), (530, -206), (506, -140)]), GREEN_DARK),
        inked(polygon([(504, -124), (558, -122), (510, -64)]), GREEN_DARK),
        inked(polygon([(496, -48), (544, -16), (470, 14)]), GREEN_DARK),
    ]
    belly = flat("M-70 50C60 72 220 70 340 40C400 24 450 -20 480 -70L520 120L-80 140Z", GREEN_PALE)
    ribs = stroke("M150 74L148 112M204 72L206 112M262 62L270 100M316 46L334 82", GREEN_DARK, 8)
    spots = ((96, -44), (150, -14), (212, -46), (276, -12), (352, 2), (420, -44), (458, -120))
    dots = [flat(ellipse(x, y, 15, 10), GREEN_DARK) for x, y in spots]
    return Part(
        (
            *_crocodile_leg(150, GREEN_DARK),
            *_crocodile_leg(340, GREEN_DARK),
            *scutes,
            *spikes,
            inked(torso, GREEN, belly, ribs, *dots),
            *_crocodile_leg(70, GREEN),
            *_crocodile_leg(258, GREEN),
        ),
        Box(-78, -232, 562, 150),
    )


def _crocodile_leg(x: float, fill: str) -> tuple[Shape, ...]:
    leg = (
        f"M{x - 8} 40C{x - 22} 60 {x - 20} 92 {x - 34} 108C{x - 76} 108 {x - 80} 144 {x - 40} 144"
        f"L{x + 22} 144C{x + 44} 142 {x + 44} 120 {x + 36} 104C{x + 56} 80 {x + 62} 56 {x + 58} 36"
    )
    toes = stroke(f"M{x - 44} 128V142M{x - 18} 128V142", width=7)
    return inked(leg, fill), toes


def elephant_body() -> Part:
    """A barrel on four pillars with toenails."""
    torso = (
        "M-30 -56C40 -112 120 -140 212 -134C334 -126 420 -62 430 66L434 304Q434 334 404 334"
        "L336 334Q308 334 307 306L302 226C258 244 190 248 132 236L130 306Q130 334 102 334"
        "L30 334Q4 334 3 306L-2 186C-44 146 -76 82 -62 16Z"
    )
    shade = flat("M-80 150C60 236 300 236 440 110L470 360L-60 360Z", BLUE_DARK, 0.55)
    shine = stroke("M120 -104C210 -120 300 -98 348 -44", BLUE_PALE, 20)
    wrinkles = stroke("M20 262Q46 274 72 262M330 262Q356 274 384 262", BLUE_DARK, 8)
    nails = [
        inked(f"M{x - 15} 334C{x - 15} 308 {x + 15} 308 {x + 15} 334Z", CLAW, width=7)
        for x in (28, 66, 104, 336, 374, 410)
    ]
    return Part(
        (
            *tube("M420 -10C470 20 474 80 452 124", 12, BLUE),
            inked("M452 108C486 128 486 172 456 190C424 176 424 132 452 108Z", BLUE_DARK),
            inked(_pillar(112), BLUE_DARK),
            inked(_pillar(230), BLUE_DARK),
            inked(torso, BLUE, shade, shine, wrinkles),
            *nails,
        ),
        Box(-72, -140, 486, 340),
    )


def _pillar(x: float) -> str:
    return f"M{x} 120L{x} 294Q{x} 322 {x + 26} 322L{x + 68} 322Q{x + 94} 322 {x + 94} 294V120Z"


def giraffe_body() -> Part:
    """A sloping back on long stilts, covered with patches."""
    torso = (
        "M40 -58C110 -44 190 4 272 26C330 42 352 88 346 144L352 404L352 424L292 424L288 404"
        "L268 232C214 240 138 230 92 204L76 404L76 424L16 424L12 404L-8 170"
        "C-48 128 -74 48 -56 -22Z"
    )
    patches = [flat(d, PATCH) for d in _BODY_PATCHES]
    hooves = flat("M-20 388H380V440H-20Z", HOOF)
    belly = flat(
        "M-60 96C-20 170 60 196 140 214C200 226 250 224 290 214L270 250L40 250Z", YELLOW_PALE
    )
    return Part(
        (
            *tube("M338 74C392 84 408 150 396 206", 10, YELLOW),
            inked("M396 190C424 214 428 262 402 290C372 268 368 222 396 190Z", HOOF),
            *_stilt(116),
            *_stilt(226),
            inked(torso, YELLOW, belly, *patches, hooves),
        ),
        Box(-70, -64, 428, 430),
    )


_BODY_PATCHES = (
    "M60 -30L112 -16L110 34L62 44L38 6Z",
    "M134 -4L186 20L184 66L142 72L124 34Z",
    "M206 32L256 44L262 84L222 104L198 72Z",
    "M278 54L320 66L326 112L290 120L276 88Z",
    "M-30 46L22 40L44 86L10 120L-28 104Z",
    "M62 74L112 66L128 116L88 142L54 116Z",
    "M150 100L200 98L212 146L172 162L142 138Z",
    "M234 130L278 142L292 188L256 192L232 168Z",
    "M306 140L350 140L350 196L312 190Z",
    "M12 150L48 138L66 178L36 204L16 190Z",
    "M96 164L130 164L134 196L100 192Z",
    "M308 226L340 216L344 264L316 270Z",
    "M22 236L54 230L56 280L30 284Z",
    "M320 304L350 296L350 340L326 342Z",
    "M32 316L58 312L56 352L36 354Z",
)


def _stilt(x: float) -> tuple[Shape, ...]:
    leg = f"M{x} 150L{x + 4} 392L{x + 2} 410L{x + 56} 410L{x + 52} 392L{x + 58} 150Z"
    return (inked(leg, YELLOW_DARK, flat(f"M{x - 20} 380h100v50h-100Z", HOOF)),)


def lion_body() -> Part:
    """Sitting upright like a proud cat, the tufted tail swung high."""
    torso = (
        "M48 -46C124 10 214 104 244 206C272 296 250 352 190 352L-46 352"
        "C-86 300 -92 232 -84 150C-80 80 -76 20 -56 -28Z"
    )
    chest = flat("M-90 -40C-30 40 -10 130 -30 260L-120 260Z", SAND_PALE)
    shade = flat("M40 40C110 110 160 200 130 352H300V0Z", SAND_DARK, 0.45)
    haunch = (
        "M140 186C214 168 268 222 262 290C258 330 232 356 190 358L110 358C76 300 78 210 140 186Z"
    )
    far = "M-26 120L-18 318C-40 322 -46 352 -20 358L64 358Q84 330 60 310L66 130Z"
    near = (
        "M-84 110C-92 190 -84 250 -88 306C-124 308 -134 358 -98 358L-14 358"
        "C4 352 4 326 -8 310C-2 260 10 220 14 170"
    )
    foot = "M112 312C76 306 52 324 54 344Q56 358 74 358L214 358L214 320Z"
    return Part(
        (
            *tube("M226 310C330 330 372 250 330 190C300 146 322 96 364 86", 18, SAND),
            inked("M352 112C330 74 356 26 408 16C424 66 408 112 352 112Z", MANE),
            inked(far, SAND_DARK),
            inked(torso, SAND, chest, shade),
            inked(near, SAND, flat("M-110 90C-60 170 -60 250 -66 320L-140 340Z", SAND_PALE)),
            inked(haunch, SAND),
            inked(foot, SAND),
            stroke("M-84 336V354M-56 336V354M78 338V354M104 338V354", width=7),
        ),
        Box(-132, -52, 418, 364),
    )


def gorilla_body() -> Part:
    """A broad chest, one fist on the ground, the other raised."""
    torso = (
        "M-64 -44C-150 -30 -176 80 -160 190C-150 290 -104 336 6 336C116 336 164 290 172 190"
        "C184 80 152 -30 64 -44Z"
    )
    chest = (
        flat(
            "M0 64C-40 30 -112 40 -114 96C-112 150 -40 152 0 128C40 152 116 150 118 96"
            "C116 40 40 30 0 64Z",
            COAL_LIGHT,
        ),
        flat(ellipse(4, 236, 92, 74), COAL_LIGHT),
        stroke("M2 76V124", COAL_DARK, 8),
        flat(circle(4, 240, 7), COAL_DARK),
    )
    grounded = (
        "M-70 -48C-158 -62 -214 10 -232 116C-244 190 -246 250 -262 300C-276 356 -156 364 -152 306"
        "C-150 236 -146 176 -122 120Z"
    )
    raised = (
        "M68 -48C138 -60 176 -20 204 26C216 -10 214 -46 210 -78C196 -140 300 -156 308 -92"
        "C314 0 300 92 248 140C206 172 150 150 116 100Z"
    )
    fist = stroke(
        "M226 -104C236 -84 234 -74 230 -60M252 -112C262 -90 260 -78 258 -62"
        "M280 -110C288 -92 286 -78 284 -64",
        COAL_DARK,
        7,
    )
    knuckles = stroke("M-232 318V340M-206 322V344M-180 320V340", COAL_DARK, 7)
    tufts = stroke(
        "M-206 96L-186 116M-222 140L-198 156M-228 186L-206 198M262 60L286 74M250 90L272 108",
        COAL_LIGHT,
        9,
    )
    return Part(
        (
            inked(torso, COAL, *chest),
            *_gorilla_foot(-84, -1),
            *_gorilla_foot(98, 1),
            inked(grounded, COAL),
            inked(raised, COAL),
            fist,
            knuckles,
            tufts,
        ),
        Box(-270, -140, 316, 368),
    )


def _gorilla_foot(x: float, side: int) -> tuple[Shape, ...]:
    sole = inked(ellipse(x, 318, 62, 44), COAL, flat(ellipse(x, 326, 44, 30), COAL_PALE))
    toes = [
        inked(circle(x + side * dx, 286 + abs(dx) * 0.35, 15), COAL_PALE, width=8)
        for dx in (-36, -12, 13, 38)
    ]
    return (*toes, sole) if side else (sole,)
