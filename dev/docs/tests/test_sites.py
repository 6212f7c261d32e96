"""What the pages say about the site list: python3 -m unittest discover dev/docs/tests"""

import pathlib
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "lib"))

import site_counts  # noqa: E402
import site_list  # noqa: E402
import site_picture  # noqa: E402

LIST = """# class method kind target ours count
o.a.Env$         create  new      o.a.Store            o.a.OurStore        1
o.a.Env$         create  call     o.a.Kit$#make(I)V    o.a.Kits#make       1
o.a.Kit          make    call     o.a.Kit$#make(I)V    -                   3
o.a.Sorter$Spill close   call     java.io.File#delete()Z o.a.Spills#delete 2
o.a.Info         lock    call     o.a.Info#id_$eq(J)V  o.a.Locks#id        1
o.a.RDD          keep(I)V prologue -                   o.a.Hook#before     1
"""
PICTURE = """before -> the picture
<!-- picture of the sites -->
```
   Env$.create
        |  new Store   ->  new OurStore   a remark
        |  Kit.make    ->  Kits.make

   Sorter
        +-- File.delete  ->  Spills.delete
   Info.id_=         ->  Locks.id
   RDD.keep(level)   ->  Hook.before
```
<!-- end -->
after -> it
"""
NAMES = ("sum", "hooks", "left-alone", "new", "call", "prologue")
MARKS = "".join(f"<!-- sites {name} --><!-- end -->\n" for name in NAMES)


def sites(text=LIST):
    with tempfile.NamedTemporaryFile("w", suffix=".sites") as file:
        file.write(text)
        file.flush()
        return site_list.read(pathlib.Path(file.name))


class CountsTest(unittest.TestCase):
    def test_what_is_left_alone_is_not_re_pointed(self):
        self.assertEqual(site_counts.texts(sites()), {
            "sum": "1 constructor and 4 calls, 6 instructions",
            "hooks": "1 hook, before `RDD.keep`",
            "left-alone": "3",
            "new": "1",
            "call": "4",
            "prologue": "1",
        })

    def test_a_mark_is_filled_and_then_not_stale(self):
        page, names = site_counts.filled(MARKS, site_counts.texts(sites()))
        self.assertIn("<!-- sites call -->4<!-- end -->", page)
        self.assertEqual(len(names), 6)
        self.assertEqual(list(site_counts.stale({"page": page}, sites())), [])

    def test_a_list_with_a_site_more_makes_the_page_stale(self):
        page, _ = site_counts.filled(MARKS, site_counts.texts(sites()))
        more = sites(LIST + "o.a.Env$ stop new o.a.Disk o.a.OurDisk 1\n")
        self.assertIn("page: doesn't have the counts", "".join(site_counts.stale({"page": page}, more)))

    def test_a_mark_that_is_gone_or_unknown_is_said(self):
        page, _ = site_counts.filled(MARKS, site_counts.texts(sites()))
        for before, after, said in (("sites call", "sites calls", "'sites calls' is none of"),
                                    ("<!-- sites call -->", "", "has the mark 'sites call'")):
            problems = list(site_counts.stale({"page": page.replace(before, after)}, sites()))
            self.assertTrue(any(said in problem for problem in problems), problems)


class PictureTest(unittest.TestCase):
    def problems(self, picture=PICTURE, listed=LIST):
        return list(site_picture.missing(picture, sites(listed)))

    def test_a_picture_of_all_sites_is_right(self):
        self.assertEqual(self.problems(), [])

    def test_a_site_without_an_arrow_is_said(self):
        more = LIST + "o.a.Env$ stop new o.a.Disk o.a.OurDisk 1\n"
        self.assertEqual(self.problems(listed=more), ["the picture has no arrow for the site in Env: Disk -> OurDisk"])

    def test_an_arrow_in_another_group_is_not_the_sites(self):
        said = "\n".join(self.problems(PICTURE.replace("   Sorter\n", "   Map\n")))
        self.assertIn("no arrow for the site in Sorter", said)

    def test_an_arrow_of_no_site_is_said(self):
        for gone in ("Env$         create  call", "o.a.RDD"):
            fewer = "".join(line for line in LIST.splitlines(True) if not line.startswith(gone) and gone not in line)
            self.assertIn("the picture has an arrow of no site", "\n".join(self.problems(listed=fewer)))

    def test_a_part_of_a_longer_name_is_not_the_name(self):
        for before, after in (("OurStore", "OurStores"), ("Kits.make", "Kits"), ("new Store ", "new BigStore ")):
            self.assertNotEqual(self.problems(PICTURE.replace(before, after)), [], after)

    def test_a_page_without_a_picture_lacks_every_site(self):
        self.assertEqual(len(self.problems("no picture")), 5)


if __name__ == "__main__":
    unittest.main()
